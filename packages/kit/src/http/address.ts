import type { Server } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { UnderstudyError } from '../errors.js';

export interface Address {
  host: string;
  port: number;
}

/** Whether only this machine can reach a server on this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Whether a server on this host listens on every address of the machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** `http://127.0.0.1:PORT` */
export function originOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Opens the port and gives its number. */
export async function listen(server: Server, { host, port }: Address): Promise<number> {
  // Node takes an empty host for "every address of this machine".
  if (host.trim() === '') {
    throw new UnderstudyError('CANNOT_LISTEN', 'the address to listen on is empty', { fix: 'Give an address.' });
  }
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(cannotListen({ host, port }, cause));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Answers what is not HTTP, and hangs up. */
export function refuseGarbage(server: Server): void {
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
}

function cannotListen({ host, port }: Address, cause: NodeJS.ErrnoException): UnderstudyError {
  return new UnderstudyError('CANNOT_LISTEN', `cannot listen on ${host}:${port}: ${cause.message}`, {
    fix: cause.code === 'EADDRINUSE' ? 'Choose another port, or 0 for a free one.' : 'Check the host and the port.',
    cause,
  });
}
