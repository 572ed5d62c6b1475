import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere } from '../../../document/json.js';

/** The branch that a folder is on, read from `.git` itself; `HEAD` where there is none. */
export function gitBranch(cwd: string): string {
  const file = foldersUpFrom(cwd)
    .map((folder) => join(folder, '.git', 'HEAD'))
    .find(existsSync);
  const head = file === undefined ? '' : (readIfThere(file) ?? '');
  return /^ref: refs\/heads\/(.*)/.exec(head)?.[1]?.trim() ?? 'HEAD';
}

/** Whether a folder is in a repository, or in a worktree of one. */
export function isInGit(cwd: string): boolean {
  return foldersUpFrom(cwd).some((folder) => existsSync(join(folder, '.git')));
}

function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}
