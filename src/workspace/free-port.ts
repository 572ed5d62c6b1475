import { createServer } from 'node:net';
import { UnderstudyError } from '../errors.js';

/** A loopback port that was free a moment ago: any, or the wanted one. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', resolve);
    });
  } catch (cause) {
    throw new UnderstudyError('CANNOT_LISTEN', `port ${wanted} cannot be had: ${(cause as Error).message}`, {
      fix: 'Name no port to get a free one, or end what listens there.',
      cause,
    });
  }
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return address !== null && typeof address === 'object' ? address.port : wanted;
}
