import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** The TCP ports on which a process listens. Linux only. */
export function listeningPorts(pid: number): number[] {
  try {
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap((name) => /^socket:\[(\d+)\]$/.exec(linkOf(pid, name))?.[1] ?? []),
    );
    if (sockets.size === 0) return [];
    const ports = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'latin1')
        .split('\n')
        .flatMap((line) => {
          const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
          return state === LISTENING && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
        }),
    );
    return [...new Set(ports)].sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function linkOf(pid: number, descriptor: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return '';
  }
}
