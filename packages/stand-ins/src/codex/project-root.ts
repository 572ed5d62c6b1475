import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The git repository that a folder is in. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = resolve(folder, '..');
  return parent === folder ? undefined : repositoryOf(parent);
}

/** What Codex takes for the project: the repository, or the folder itself. */
export function projectRoot(folder: string): string {
  return repositoryOf(folder) ?? folder;
}
