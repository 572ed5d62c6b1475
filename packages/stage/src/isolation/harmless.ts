import { execFileSync } from 'node:child_process';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from './folders.js';
import { listed, namedByFile, statOf } from './git-folder.js';
import { readSmall } from './read-small.js';

export interface GitSurroundings {
  projects: readonly string[];
  /** The git folders that are looked at. */
  folders: readonly string[];
}

/**
 * Whether something new in a git folder is what `git init`, `git worktree add` or `git submodule add` make there, and
 * neither runs later nor configures what runs.
 */
export function isHarmless(path: string, { projects, folders }: GitSurroundings): boolean {
  const name = basename(path);
  if (statOf(path)?.isDirectory() === true)
    return listed(path).every((entry) => entry.isFile() && entry.name.endsWith('.sample'));
  const text = readSmall(path);
  if (text === undefined) return false;
  switch (name) {
    case 'description':
    case 'exclude':
    case 'gitdir':
    case 'locked':
      return true;
    case 'commondir':
      return (
        folders.includes(resolve(path, '../../..')) &&
        path.endsWith(`/worktrees/${basename(dirname(path))}/${name}`) &&
        text.trim() === '../..'
      );
    case 'config':
      return hasPlainSettings(text, dirname(path), projects);
    default:
      return false;
  }
}

/** Whether a new `.git` file leads to a worktree or a submodule of a repository that is looked at. */
export function leadsHome(file: string, { folders }: GitSurroundings): boolean {
  const named = namedByFile(file);
  if (named === undefined) return false;
  return folders.some((folder) => ['worktrees', 'modules'].some((name) => isWithin(named, join(folder, name))));
}

/** None of them names a program or another file. */
const PLAIN =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)|extensions\.(?:objectformat|refstorage)|user\.(?:name|email)|remote\..+\.(?:url|fetch)|branch\..+\.(?:remote|merge)|submodule\.(?:active|.+\.(?:url|active)))$/s;

function hasPlainSettings(text: string, folder: string, projects: readonly string[]): boolean {
  let settings: string[];
  try {
    const command = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    settings = execFileSync('git', command, {
      cwd: '/',
      input: text,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
      .split('\0')
      .filter((line) => line !== '');
  } catch {
    return false;
  }
  return settings.every((line) => {
    const [key = '', ...value] = line.split('\n');
    // Of a submodule: its files are in the project.
    if (key === 'core.worktree')
      return projects.some((project) => isWithin(resolve(folder, value.join('\n')), project));
    return PLAIN.test(key);
  });
}
