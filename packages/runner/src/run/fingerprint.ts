import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages of others are many, and are not what is being changed. */
const LEFT_OUT = ['node_modules', '.git'];

/** Changes when one of the files does: files by their content, what is in folders by size and time. */
export function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    hash.update(`${path}\0`);
    if (stats?.isDirectory()) addFolder(hash, path);
    else if (stats?.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
}

function addFolder(hash: Hash, folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    if (LEFT_OUT.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) addFolder(hash, path);
    else {
      const { size, mtimeMs } = lstatSync(path);
      hash.update(`${path}\0${size}\0${mtimeMs}\0`);
    }
  }
}
