import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { kindOf } from './file-kinds.mjs';

/** Enough commits to step over documentation; older tests do not belong to this round. */
const COMMITS_LOOKED_AT = 100;

function git(folder, ...args) {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The real path of a file that may not exist yet, so that a link cannot hide where it lies. */
export function realPath(path) {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function nearestFolder(path) {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The repository that a file belongs to, or undefined. Any other trouble with git is thrown. */
export function repositoryOf(path) {
  try {
    return realpathSync(git(nearestFolder(path), 'rev-parse', '--show-toplevel').trim());
  } catch (error) {
    if (String(error.stderr).includes('not a git repository')) return undefined;
    throw error;
  }
}

export function pathInside(repository, path) {
  return relative(repository, path);
}

/** Test files that are new or changed since the last commit. */
export function uncommittedTests(repository) {
  return git(repository, 'status', '--porcelain', '-z', '--untracked-files=all', '--no-renames')
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((path) => kindOf(path) === 'test');
}

/** The newest commit that touches tests or implementation: which of them, and its subject. */
export function newestCodeCommit(repository) {
  let log;
  try {
    log = git(
      repository,
      'log',
      '-z',
      `-n${COMMITS_LOOKED_AT}`,
      '--format=%x01%s',
      '--name-only',
      '--no-renames',
      '-m',
      '--first-parent',
    );
  } catch (error) {
    if (/does not have any commits|unknown revision|bad default revision/.test(String(error.stderr))) return undefined;
    throw error;
  }
  for (const commit of log.split('\x01').slice(1)) {
    const [subject = '', ...names] = commit.split('\0');
    const kinds = names.map((name) => kindOf(name.trim()));
    if (kinds.includes('implementation')) return { kind: 'implementation', subject };
    if (kinds.includes('test')) return { kind: 'test', subject };
  }
  return undefined;
}
