import { execFileSync } from 'node:child_process';

/** What OpenCode takes for the project of a folder: its repository, by the first commit, or none. */
export interface Project {
  id: string;
  root: string;
}

const GLOBAL: Project = { id: 'global', root: '/' };

export function projectOf(folder: string): Project {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const root = git('rev-parse', '--show-toplevel');
    const [id] = git('rev-list', '--max-parents=0', 'HEAD').split('\n').sort();
    return id === undefined || id === '' ? GLOBAL : { id, root };
  } catch {
    return GLOBAL;
  }
}
