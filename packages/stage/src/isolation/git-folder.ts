import { chmodSync, type Dirent, existsSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agents } from '@understudy/agents';
import { isWithin } from './folders.js';
import { readSmall } from './read-small.js';

/**
 * What git writes in the course of ordinary work, at the top of its folder: objects, references, the index, messages, and
 * where a merge or a rebase stands. Git takes no configuration from it and runs nothing of it. Agents keep
 * things there, too. Whatever is not named here stays as it was.
 */
const WORK = new RegExp(
  `^(?:${[
    ...['objects', 'refs', 'reftable', 'logs', 'lfs', 'rr-cache', 'rebase-merge', 'rebase-apply', 'sequencer'],
    ...['packed-refs', 'shallow', 'index', 'index\\.[\\w.-]+', 'next-index-\\d+', 'sharedindex\\.\\w+'],
    ...['HEAD', '[A-Z_]+_HEAD', '(?:[A-Z_]+_)?(?:EDIT)?MSG', 'MERGE_(?:MODE|RR)', 'AUTO_MERGE', 'NOTES_MERGE_\\w+'],
    ...['BISECT_[A-Z_]+', 'EDIT_DESCRIPTION', 'ADD_EDIT\\.patch', 'gc\\.(?:pid|log)'],
    ...Object.values(agents).flatMap(({ gitFiles = [] }) => gitFiles),
  ].join('|')})(?:\\.(?:lock|new))?$`,
);

/** `work` is written freely, a `folder` is looked into, and the `rest` stays as it is. */
export interface GitEntry {
  path: string;
  standing: 'work' | 'folder' | 'rest';
}

/**
 * All entries of a git folder, outer ones first: its own, and those of its submodules and of its worktrees in these
 * projects. What belongs to a worktree elsewhere is not theirs.
 */
export function entriesOf(folder: string, projects: readonly string[]): GitEntry[] {
  return listed(folder).flatMap((entry): GitEntry[] => {
    const path = join(folder, entry.name);
    const inner = entry.isDirectory() ? INNER[entry.name] : undefined;
    if (inner !== undefined) return [{ path, standing: 'folder' }, ...inner(path, projects)];
    return [{ path, standing: WORK.test(entry.name) && !entry.isSymbolicLink() ? 'work' : 'rest' }];
  });
}

const INNER: Readonly<Record<string, (folder: string, projects: readonly string[]) => GitEntry[]>> = {
  info: infoOf,
  worktrees: worktreesIn,
  modules: modulesIn,
};

/** `git gc` writes a list of references for others. */
function infoOf(folder: string): GitEntry[] {
  return listed(folder).map((entry) => ({
    path: join(folder, entry.name),
    standing: entry.isFile() && /^refs(?:_\w+)?$/.test(entry.name) ? 'work' : 'rest',
  }));
}

function worktreesIn(folder: string, projects: readonly string[]): GitEntry[] {
  return listed(folder).flatMap((entry): GitEntry[] => {
    const path = join(folder, entry.name);
    const tree = dirname((readSmall(join(path, 'gitdir')) ?? '').trim());
    const isTheirs = entry.isDirectory() && projects.some((project) => isWithin(tree, project));
    return isTheirs ? gitFolder(path, projects) : [{ path, standing: 'rest' }];
  });
}

/** The name of a submodule may have slashes. */
function modulesIn(folder: string, projects: readonly string[]): GitEntry[] {
  return listed(folder).flatMap((entry): GitEntry[] => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [{ path, standing: 'rest' }];
    if (existsSync(join(path, 'HEAD'))) return gitFolder(path, projects);
    return [{ path, standing: 'folder' }, ...modulesIn(path, projects)];
  });
}

function gitFolder(path: string, projects: readonly string[]): GitEntry[] {
  return [{ path, standing: 'folder' }, ...entriesOf(path, projects)];
}

/** Where git would begin in a folder and below: `.git`, or a folder that looks like one. */
export interface GitPlace {
  path: string;
  /** A file that names the folder, or something that git would follow. */
  isFolder: boolean;
}

export function gitPlaces(project: string): GitPlace[] {
  const found: GitPlace[] = [];
  const folders = [project];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = listed(folder);
    const names = new Set(entries.map(({ name }) => name));
    if (folder !== project && ['HEAD', 'objects', 'refs'].every((name) => names.has(name))) {
      found.push({ path: folder, isFolder: true });
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === '.git') found.push({ path, isFolder: entry.isDirectory() });
      else if (entry.isDirectory()) folders.push(path);
    }
  }
  return found;
}

/** The folder that a `.git` file names. */
export function namedByFile(file: string): string | undefined {
  const named = /^gitdir: (.+)$/m.exec(readSmall(file) ?? '')?.[1];
  return named === undefined ? undefined : resolve(dirname(file), named);
}

/** What is at a path itself, no link followed. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** What is neither a file nor a folder, anywhere in it: git would write through a link. */
export function specialsIn(path: string): string[] {
  const found = statOf(path);
  if (found === undefined || found.isFile()) return [];
  if (!found.isDirectory()) return [path];
  return listed(path).flatMap((entry) => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return specialsIn(inner);
    return entry.isFile() ? [] : [inner];
  });
}

/** What was removed a moment ago, or has too long a path, has nothing for git either. */
export function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || !makeOpen(folder)) return [];
    return listed(folder);
  }
}

/** Who may not list a folder may still open what is in it by name, and git knows the names. */
export function makeOpen(folder: string): boolean {
  try {
    const { mode } = lstatSync(folder);
    if ((mode & OWN) === OWN) return false;
    chmodSync(folder, (mode | OWN) & 0o7777);
    return true;
  } catch {
    return false;
  }
}

const OWN = 0o700;
