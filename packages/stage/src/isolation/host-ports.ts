import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { letProcessEnd } from '@understudy/kit';
import type { Asker } from '@understudy/model';
import type { FindAsker } from './askers.js';
import type { Attempt } from './watch.js';

/**
 * Ports of this machine that a sandbox may reach. A sandbox has a network of its own, so each port is offered as a
 * socket in a folder, which is bound into the sandbox. The forwarder inside says first who connected to it. Whoever
 * connects past it is turned away.
 */
export class HostPorts {
  readonly #folder: string;
  readonly #servers = new Map<number, Server>();
  readonly #askerOf: FindAsker;
  /** Those that are connected, by our own port of their connection. */
  readonly #connected = new Map<number, Asker>();

  constructor(folder: string, askerOf: FindAsker) {
    this.#folder = folder;
    this.#askerOf = askerOf;
  }

  /** Who is at the other end of a connection from this port. Undefined where it does not come from inside. */
  asker(port: number): Asker | undefined {
    return this.#connected.get(port);
  }

  get numbers(): number[] {
    return [...this.#servers.keys()];
  }

  async open(port: number): Promise<void> {
    if (this.#servers.has(port)) return;
    const server = createServer({ allowHalfOpen: true }, (inside) => {
      inside.on('error', () => {});
      readIntroduction(inside, (said) => {
        const asker = said === undefined ? undefined : this.#askerOf(said);
        if (asker === undefined) inside.destroy();
        else this.#join(inside, port, asker);
      });
    });
    this.#servers.set(port, server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(join(this.#folder, String(port)), () => resolve());
    });
    // Whoever opened it closes it.
    letProcessEnd(server);
  }

  #join(inside: Socket, port: number, asker: Asker): void {
    const outside = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).unref();
    let own: number | undefined;
    outside.once('connect', () => {
      own = outside.localPort;
      if (own !== undefined) this.#connected.set(own, asker);
      inside.pipe(outside).pipe(inside);
    });
    outside.once('close', () => {
      if (own !== undefined) this.#connected.delete(own);
    });
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
  }

  close(): void {
    for (const server of this.#servers.values()) server.close();
    this.#servers.clear();
  }
}

/** Far more than a forwarder ever says. */
const LONGEST = 64 * 1024;

/** What the forwarder says first: its length, and its fields. Undefined where that is not what comes. */
function readIntroduction(from: Socket, onRead: (fields: string[] | undefined) => void): void {
  let bytes = Buffer.alloc(0);
  const look = () => {
    const more: Buffer | null = from.read();
    if (more === null) return;
    bytes = Buffer.concat([bytes, more]);
    const length = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
    if (length > LONGEST) return done(undefined);
    if (bytes.length < 4 || bytes.length < 4 + length) return;
    const rest = bytes.subarray(4 + length);
    if (rest.length > 0) from.unshift(rest);
    done(bytes.toString('utf8', 4, 4 + length).split('\0'));
  };
  const done = (fields: string[] | undefined) => {
    from.off('readable', look);
    onRead(fields);
  };
  from.on('readable', look);
}

const ADDRESS = /(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[?::1\]?)[:/ ]+(\d{2,5})\b/g;

/** Ports that a text names, on which a program of this machine listens, and which are not offered inside. */
export function namedPorts(text: string, offered: readonly number[]): Attempt[] {
  const named = new Set([...text.matchAll(ADDRESS)].map(([, port]) => Number(port)));
  for (const port of offered) named.delete(port);
  if (named.size === 0) return [];
  const open = openPorts();
  return [...named]
    .filter((port) => open.has(port))
    .map((port) => ({ kind: 'network', text: `port ${port} of this machine was asked for` }));
}

function openPorts(): Set<number> {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => {
    try {
      return readFileSync(file, 'latin1').split('\n').slice(1);
    } catch {
      return [];
    }
  });
  const fields = lines.map((line) => line.trim().split(/\s+/));
  // 0A: it listens.
  const listening = fields.filter(([, , , state]) => state === '0A');
  return new Set(listening.map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16)));
}
