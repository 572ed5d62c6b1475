import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { byName } from '../by-name.js';

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

/** Folders whose files are no part of a plugin. */
const FOREIGN = ['.git', 'node_modules'];

/** The first pipe, socket or device below a folder: whoever reads one may wait for ever. */
export function specialFileBelow(folder: string, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) continue;
    const what = entry.isSymbolicLink() ? targetOf(path) : entry;
    if (what === undefined || what.isFile()) continue;
    if (!what.isDirectory()) return path;
    // A link to a folder is not followed: it may lead anywhere.
    const inside = FOREIGN.includes(entry.name) || what !== entry ? undefined : specialFileBelow(path, depth + 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function targetOf(link: string): Stats | undefined {
  try {
    return statSync(link);
  } catch {
    return undefined;
  }
}

/** The folders in a folder, sorted by name. */
export function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => kindOf(path) === 'folder');
}

function namesIn(folder: string): string[] {
  if (kindOf(folder) !== 'folder') return [];
  return readdirSync(folder).sort(byName);
}
