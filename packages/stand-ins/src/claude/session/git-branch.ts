import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfThere } from '@understudy/kit';

/** The branch that a folder is on, read from `.git` itself; `HEAD` where there is none. */
export function gitBranch(cwd: string): string {
  const file = foldersUpFrom(cwd)
    .map((folder) => join(folder, '.git', 'HEAD'))
    .find(existsSync);
  const head = file === undefined ? '' : (readIfThere(file) ?? '');
  return /^ref: refs\/heads\/(.*)/.exec(head)?.[1]?.trim() ?? 'HEAD';
}

function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}
