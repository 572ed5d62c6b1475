import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const LOOK_EVERY_MS = 5;

export interface SyncLockOptions {
  /** A lock that is older was left behind. */
  longestMs: number;
  /** The error when we have waited for as long. Without it we wait until the lock is free. */
  locked?: (lock: string) => Error;
}

/**
 * Does a short work on a file while no other process does its own. It waits without giving up the thread, and its lock
 * names nobody, so it costs a start nothing; what takes longer uses `withLock`.
 */
export function withLockSync<T>(file: string, options: SyncLockOptions, work: () => T): T {
  mkdirSync(dirname(file), { recursive: true });
  const lock = `${file}.lock`;
  acquire(lock, options);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquire(lock: string, { longestMs, locked }: SyncLockOptions): void {
  const deadline = Date.now() + longestMs;
  for (;;) {
    try {
      writeFileSync(lock, '', { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > longestMs) rmSync(lock, { force: true });
    else if (locked !== undefined && Date.now() > deadline) throw locked(lock);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
}
