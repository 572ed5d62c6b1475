import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardAgainstLeftover, releaseFromGuard } from './guard.js';
import { isAlive } from './process-table.js';

const PREFIX = 'understudy-';

/** A folder that lives as long as it is needed, and never longer than our process. */
export interface Scratch {
  path: string;
  remove(): Promise<void>;
}

/** Makes a scratch folder. Its name holds our process id, so that a later run knows whose it was. */
export function createScratch(purpose: string, root: string = tmpdir()): Scratch {
  // The real path: CLIs compare folders by it, and a symbolic temp folder would make two of one.
  const path = realpathSync(mkdtempSync(join(root, `${PREFIX}${process.pid}-${purpose}-`)));
  guardAgainstLeftover('folder', path);
  return {
    path,
    // Not in step: some file systems make every rmdir wait, and others of ours would wait with it.
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
      releaseFromGuard('folder', path);
    },
  };
}

/** Removes scratch folders of processes that are gone; gives back their names. */
export function sweepScratch(root: string = tmpdir()): string[] {
  return readdirSync(root).filter((name) => {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) return false;
    rmSync(join(root, name), { recursive: true, force: true });
    return true;
  });
}
