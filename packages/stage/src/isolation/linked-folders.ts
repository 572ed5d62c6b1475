import { basename, dirname, join, resolve } from 'node:path';
import { isWithin, realPath } from './folders.js';
import { namedByFile } from './git-folder.js';
import { readSmall } from './read-small.js';

/** Folders that a project has elsewhere, and without which it does not work. */
export interface LinkedFolders {
  writable: string[];
  readable: string[];
}

/** What package managers fill. */
const DEPENDENCIES = ['node_modules', '.venv', 'venv', 'vendor'];

/**
 * Linked dependencies, and the repository of a git worktree. To be looked for before an agent has run: it may make links.
 * For the same reason a link is followed only to a folder of the same kind, and a repository must know its worktree.
 */
export function linkedFolders(projects: readonly string[]): LinkedFolders {
  const found = projects.flatMap((project) => realPath(project) ?? []);
  const isOutside = (path: string) => !found.some((project) => isWithin(path, project));
  const dependencies = found.flatMap((project) =>
    DEPENDENCIES.flatMap((name) => realPath(join(project, name)) ?? []).filter((path) =>
      DEPENDENCIES.includes(basename(path)),
    ),
  );
  const repositories = found.flatMap(repositoryOf).filter(isOutside);
  return { writable: repositories, readable: dependencies.filter(isOutside) };
}

/** The folder of the repository to which a worktree belongs, if its own `.git` only names it. */
export function repositoryOf(project: string): string[] {
  const own = realPath(namedByFile(join(project, '.git')) ?? '');
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return [];
  const back = realPath(dirname(resolve(own, (readSmall(join(own, 'gitdir')) ?? '').trim())));
  return back === project ? [dirname(dirname(own))] : [];
}
