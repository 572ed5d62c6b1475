import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { UnderstudyError } from '@understudy/kit';

/**
 * Below the ports that systems give to programs that want any. A server may take a minute to listen, and by then
 * another program would have one of those.
 */
const FROM = 12_000;
const TO = 32_000;
const ATTEMPTS = 50;

/** A loopback port that was free a moment ago: any, or the wanted one. */
export async function freePort(wanted?: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? randomInt(FROM, TO);
    const cause = await problemOf(port);
    if (cause === undefined) return port;
    if (wanted === undefined && attempt < ATTEMPTS) continue;
    throw new UnderstudyError('CANNOT_LISTEN', `port ${port} cannot be had: ${cause.message}`, {
      fix: 'Name no port to get a free one, or end what listens there.',
      cause,
    });
  }
}

/** Why nobody can listen there. */
async function problemOf(port: number): Promise<Error | undefined> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    return error as Error;
  }
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return undefined;
}
