import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../process/process-table.js';

/**
 * Runs `work` while no other process runs its own under the same lock file. The file holds our
 * process id; one that a dead process left behind is taken over.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!take(file)) {
    if (!told) onWait();
    told = true;
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = holderOf(file);
  if (holder !== undefined && !isAlive(holder)) rmSync(file, { force: true });
  return false;
}

/** Nothing while the file is being written, or when it has just gone. */
function holderOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
