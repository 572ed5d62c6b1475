import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  formatHolder,
  hasEnded,
  isNear,
  makeFolder,
  ownHolder,
  parseHolder,
  reapIfLeft,
  releaseFromReaper,
} from '@understudy/kit';

/** A folder in which a version is put together before it gets its name. */
export interface Staging {
  path: string;
  remove(): void;
}

/** Names one, and removes those of fetches that were killed. No fetch takes longer than `longestMs`. */
export function createStaging(store: string, longestMs: number): Staging {
  const root = join(store, '.staging');
  makeFolder(root);
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    const holder = parseHolder(name.replace(/-[0-9a-f]{12}$/, ''));
    const ageMs = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const isAbandoned = holder !== undefined && isNear(holder) ? hasEnded(holder) : ageMs > longestMs;
    if (isAbandoned) rmSync(folder, { recursive: true, force: true });
  }
  const path = join(root, `${formatHolder(ownHolder())}-${randomBytes(6).toString('hex')}`);
  mkdirSync(path);
  reapIfLeft('folder', path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      releaseFromReaper('folder', path);
    },
  };
}

/** Gives the version its name by one rename, so that it is whole or absent. What had that name goes. */
export function moveIntoPlace(staging: string, place: string): void {
  const old = `${staging}-old`;
  makeFolder(dirname(place));
  if (existsSync(place)) renameSync(place, old);
  renameSync(staging, place);
  rmSync(old, { recursive: true, force: true });
}
