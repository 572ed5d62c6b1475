import { readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { letProcessEnd } from '@understudy/kit';
import type { Attempt } from './watch.js';

/**
 * Ports of this machine that a sandbox may reach. A sandbox has a network of its own, so each port is offered as a
 * socket in a folder, which is bound into the sandbox.
 */
export class HostPorts {
  readonly #folder: string;
  readonly #servers = new Map<number, Server>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get numbers(): number[] {
    return [...this.#servers.keys()];
  }

  async open(port: number): Promise<void> {
    if (this.#servers.has(port)) return;
    const server = createServer({ allowHalfOpen: true }, (inside) => {
      const outside = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).unref();
      inside.pipe(outside).pipe(inside);
      inside.on('error', () => outside.destroy());
      outside.on('error', () => inside.destroy());
    });
    this.#servers.set(port, server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(join(this.#folder, String(port)), () => resolve());
    });
    // Whoever opened it closes it.
    letProcessEnd(server);
  }

  close(): void {
    for (const server of this.#servers.values()) server.close();
    this.#servers.clear();
  }
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
