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

/** Deeper than this, a folder that links to one above it must be at work. */
const DEEPEST = 12;

/** All files below a folder, in the order of their names; none where there is no folder. */
export function filesBelow(folder: string, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const kind = kindOf(path);
    if (kind === 'folder') return name === 'node_modules' || name === '.git' ? [] : filesBelow(path, depth + 1);
    return kind === 'file' ? [path] : [];
  });
}

/** The folders in a folder. */
export function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => kindOf(path) === 'folder');
}

function namesIn(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return [];
  return readdirSync(folder).sort();
}
