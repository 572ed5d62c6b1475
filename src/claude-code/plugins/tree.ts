import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a path is, links followed. */
export function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

/** A folder that is deeper than this is a link to one above it. */
const MAX_DEPTH = 12;

/** All files below a folder, sorted by name; none where there is no folder. */
export function filesBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const kind = kindOf(path);
    if (kind === 'folder') return filesBelow(path, depth + 1);
    return kind === 'file' ? [path] : [];
  });
}

/** The folders in a folder, sorted by name. */
export function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => kindOf(path) === 'folder');
}

function namesIn(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return [];
  return readdirSync(folder).sort();
}
