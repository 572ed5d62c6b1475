import { readFileSync } from 'node:fs';

/**
 * A second mark, for processes that drop the first: `env -i setsid …` leaves environment, session and parent behind. It
 * is a limit for the size of files, larger than any file, that no other process has. Every descendant inherits it, and
 * only setrlimit changes it. Linux only, where others can read it.
 */
const LEAST_BLOCKS = 2 ** 41;

/** Digits of an owner mark that become the limit: 40 bits. */
const DIGITS = 10;

/** POSIX has blocks of 512 bytes; bash has 1024 outside of its POSIX mode; we take half where a limit is around us. */
const BLOCK_SIZES = [256, 512, 1024] as const;

let own: string | undefined;

/** A command that gives itself the limit of its owner, and then becomes `command`. */
export function withLimitMark(command: readonly string[], owner: string): readonly string[] {
  if (process.platform !== 'linux') return command;
  const blocks = blocksOf(owner);
  own ??= limitsLine(process.pid) ?? '';
  // A limit that is there already is the mark of whoever started us: it stays as the hard limit.
  const limit = /\sunlimited\s+bytes/.test(own) ? `ulimit -f ${blocks}` : `ulimit -S -f ${Math.floor(blocks / 2)}`;
  return ['/bin/sh', '-c', `${limit} 2>/dev/null; exec "$@"`, 'sh', ...command];
}

/** Whether a process has the limit of this owner. */
export function carriesLimit(pid: number, owner: string): boolean {
  const line = limitsLine(pid);
  return line !== undefined && bytesOf(owner).some((bytes) => line.includes(` ${bytes} `));
}

/** The same for a shell: a pattern for the lines of /proc/PID/limits, with the owner in `$owner`. */
export const LIMIT_IN_SHELL = {
  compute: `blocks=$((0x\${owner%${'?'.repeat(16 - DIGITS)}} + ${LEAST_BLOCKS}))`,
  pattern: `^Max file size .* ($((blocks / 2 * 512))|${BLOCK_SIZES.map((size) => `$((blocks * ${size}))`).join('|')}) `,
};

function blocksOf(owner: string): number {
  return LEAST_BLOCKS + Number.parseInt(owner.slice(0, DIGITS), 16);
}

function bytesOf(owner: string): number[] {
  const blocks = blocksOf(owner);
  return [Math.floor(blocks / 2) * 512, ...BLOCK_SIZES.map((size) => blocks * size)];
}

function limitsLine(pid: number): string | undefined {
  try {
    return /^Max file size .*$/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[0];
  } catch {
    return undefined;
  }
}
