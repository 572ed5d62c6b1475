import { lutimesSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Long before any run, so that whatever an agent writes is newer. */
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
let newestMs = 0;

/**
 * Gives all files and folders below a folder fixed modification times, one second apart, in the order of their paths.
 * Tools list files by these times (Glob, `ls -t`), and those of a new project depend on the moment and the load.
 */
export function settleFileTimes(root: string): void {
  const paths = pathsBelow(root);
  // A folder changes when something is written into it, and not when a time in it is set.
  for (const [index, path] of paths.entries()) setTime(join(root, path), FIRST_MS + index * 1000);
}

/** Gives files that were written into a running project times of now, each later than the one before it. */
export function stampInOrder(paths: readonly string[]): void {
  for (const path of paths) {
    newestMs = Math.max(newestMs + 1, Date.now());
    setTime(path, newestMs);
  }
}

/** All paths below a folder except those of git, sorted by their characters, as on every machine. */
function pathsBelow(root: string): string[] {
  const paths: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === '.git') continue;
      const path = join(folder, entry.name);
      paths.push(path);
      if (entry.isDirectory()) walk(path);
    }
  };
  walk('');
  return paths.sort();
}

function setTime(path: string, ms: number): void {
  lutimesSync(path, ms / 1000, ms / 1000);
}
