import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileGlob } from '../../shared/tools/path-glob.js';
import type { IgnoreRules } from './ignore-rules.js';

/** Folders that are never searched. */
const NEVER = new Set(['node_modules', '.git', 'bower_components', '.svn', '.hg']);

const DAY = 24 * 60 * 60 * 1000;

export interface FileSearch {
  /** How many files the ignore files have left out. */
  ignored: number;
  /** Whole paths: what has changed within a day comes first, newest first. */
  found: string[];
}

/** The files below folders that a glob matches. */
export function findMatching(
  folders: readonly string[],
  glob: string,
  rules: IgnoreRules,
  { caseSensitive = false }: { caseSensitive?: boolean } = {},
): FileSearch {
  const pattern = compileGlob(oneStar(glob), { ignoreCase: !caseSensitive });
  const all = folders.flatMap((folder) =>
    listFiles(folder)
      .filter((file) => pattern.test(file))
      .map((file) => join(folder, file)),
  );
  const kept = all.filter((path) => !rules.isIgnored(path, 'both'));
  return { found: byChange(kept), ignored: all.length - kept.length };
}

/** All files below a folder, as paths from it. */
export function listFiles(folder: string, leftOut: ReadonlySet<string> = NEVER): string[] {
  const files: string[] = [];
  const walk = (below: string): void => {
    for (const entry of entriesOf(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) {
        if (isFile(entry, join(folder, path))) files.push(path);
      } else if (!leftOut.has(entry.name.toLowerCase())) walk(path);
    }
  };
  walk('');
  return files;
}

/** `**` crosses folders only where it stands alone between slashes. */
function oneStar(glob: string): string {
  return glob
    .split('/')
    .map((part) => (part === '**' ? part : part.replace(/\*{2,}/g, '*')))
    .join('/');
}

function byChange(paths: readonly string[]): string[] {
  const now = Date.now();
  const entries = paths.map((path) => ({ path, changed: statSync(path).mtimeMs }));
  const isRecent = ({ changed }: { changed: number }): boolean => now - changed < DAY;
  const recent = entries.filter(isRecent).sort((a, b) => b.changed - a.changed);
  const older = entries.filter((entry) => !isRecent(entry)).sort((a, b) => a.path.localeCompare(b.path));
  return [...recent, ...older].map(({ path }) => path);
}

function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
