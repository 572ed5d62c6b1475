import { basename, dirname, join, resolve } from 'node:path';
import { UntrustedFolder } from '../process/untrusted-folder.js';
import { isWithin, realPath } from './folders.js';

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
  const repositories = found.flatMap((project) => repositoryOf(project) ?? []).filter(({ all }) => isOutside(all));
  return {
    writable: repositories.flatMap(({ own, all }) => [
      own,
      ...COMMITTED.flatMap((name) => realPath(join(all, name)) ?? []),
    ]),
    readable: [...dependencies.filter(isOutside), ...repositories.map(({ all }) => all)],
  };
}

/** What a commit writes. Hooks and configuration stay as they are: they would run outside later. */
const COMMITTED = ['objects', 'refs', 'logs'];

/** The folder of the repository to which a worktree belongs, if its own `.git` only names it, and the worktree's own part. */
function repositoryOf(project: string): { own: string; all: string } | undefined {
  const named = /^gitdir: (.+)$/m.exec(readIfFile(join(project, '.git')))?.[1];
  if (named === undefined) return undefined;
  const own = realPath(resolve(project, named));
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
  const back = realPath(dirname(resolve(own, readIfFile(join(own, 'gitdir')).trim())));
  return back === project ? { own, all: dirname(dirname(own)) } : undefined;
}

function readIfFile(file: string): string {
  return new UntrustedFolder(dirname(file)).text(basename(file)) ?? '';
}
