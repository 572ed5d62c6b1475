import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LinearRegex } from '@understudy/script';
import { compileGlob } from '@understudy/script';

const SKIPPED = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** The files below a folder that a glob matches, as whole paths, the newest first. */
export function findFiles(root: string, glob: string): string[] {
  const pattern = compileGlob(glob.replace(`${root}/`, ''));
  return listFiles(root)
    .filter((file) => pattern.test(file))
    .map((file) => ({ path: join(root, file), changedAt: changeTime(join(root, file)) }))
    .sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** A file with the lines that a search has found in it. */
export interface FileMatches {
  path: string;
  lines: string[];
  /** Which of the lines match, from 0. */
  matched: number[];
}

/** Searches the lines of a file, or of all text files below a folder; `glob` limits them by name. */
export function searchFiles(root: string, pattern: Pick<LinearRegex, 'test'>, glob: string): FileMatches[] {
  const filter = glob === '' ? undefined : compileGlob(glob.includes('/') ? glob : `**/${glob}`);
  const files = statSync(root, { throwIfNoEntry: false })?.isFile()
    ? ['']
    : listFiles(root).filter((file) => filter?.test(file) ?? true);
  return files.flatMap((file) => {
    const path = join(root, file);
    const content = readFileSync(path, 'utf8');
    // A file with a NUL is not text.
    if (content.includes('\0')) return [];
    const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n');
    const matched = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
    return matched.length === 0 ? [] : [{ path, lines, matched }];
  });
}

/** All files below a folder, by name, as paths from it. Folders of version control and packages are left out. */
function listFiles(root: string): string[] {
  const files: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path);
      } else if (entry.isFile()) {
        files.push(path);
      }
    }
  };
  walk('');
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** When a file was changed: 0 for one that is gone by now. */
export function changeTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
