import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A copy of the repository in which a subagent works. */
export interface Worktree {
  path: string;
  branch: string;
  /** The commit that it began with. */
  base: string;
  repository: string;
}

/** Makes a copy of the repository of a folder, on a branch of its own. Gives what git says where that fails. */
export function addWorktree(folder: string, agentId: string): Worktree | { problem: string } {
  const repository = git(folder, 'rev-parse', '--show-toplevel').text;
  const path = join(repository, '.claude', 'worktrees', `agent-${agentId}`);
  const branch = `worktree-agent-${agentId}`;
  const added = git(repository, 'worktree', 'add', '-q', '-b', branch, path);
  if (!added.worked) return { problem: added.text };
  return { path, branch, base: git(path, 'rev-parse', 'HEAD').text, repository };
}

/** Removes it, unless something has changed in it. Gives whether it stays. */
export function closeWorktree({ path, branch, base, repository }: Worktree): boolean {
  const isChanged = git(path, 'status', '--porcelain').text !== '' || git(path, 'rev-parse', 'HEAD').text !== base;
  if (isChanged) return true;
  git(repository, 'worktree', 'remove', '--force', path);
  git(repository, 'branch', '-q', '-D', branch);
  return false;
}

function git(cwd: string, ...args: string[]): { worked: boolean; text: string } {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return { worked: status === 0, text: (status === 0 ? stdout : `${stderr ?? ''}`).trim() };
}
