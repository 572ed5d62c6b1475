import { resolve } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { git } from './git.js';

/** What git says of a repository. */
export interface ChangedFiles {
  /** The top folder of the repository. */
  top: string;
  /** All that was changed, added or removed, committed or not, as absolute paths. */
  files: string[];
}

/**
 * What changed in the repository of a folder since it left the history of `ref`: in commits, in the index, in the
 * working tree, and files that git does not know yet. Without `ref`, what is not committed.
 */
export async function changedFiles(folder: string, ref?: string): Promise<ChangedFiles> {
  const ask = (...args: string[]) => git(folder, args, { configuration: 'user' });
  const up = await ask('rev-parse', '--show-cdup').catch(() => {
    throw new UnderstudyError('BAD_FLAG', `--changed asks git what changed, and ${folder} is in no repository`, {
      fix: 'Leave out --changed, or name paths in a git repository. `git status` there says more.',
    });
  });
  const top = resolve(folder, up.trim());
  const inTop = (...args: string[]) => git(top, args, { configuration: 'user' });
  const base = await baseOf(ref, inTop);
  // Before the first commit everything is new.
  const known =
    base === undefined
      ? await inTop('ls-files', '-z')
      : await inTop('diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', base, '--');
  const fresh = await inTop('ls-files', '--others', '--exclude-standard', '-z');
  const names = `${known}\0${fresh}`.split('\0').filter((name) => name !== '');
  return { top, files: [...new Set(names)].sort().map((name) => resolve(top, name)) };
}

/** The commit with which the files are compared. What others committed since is no change of this branch. */
async function baseOf(
  ref: string | undefined,
  ask: (...args: string[]) => Promise<string>,
): Promise<string | undefined> {
  const commit = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref ?? 'HEAD'}^{commit}`).catch(
    () => undefined,
  );
  if (ref === undefined) return commit?.trim();
  if (commit === undefined) {
    throw new UnderstudyError('BAD_FLAG', `--changed ${ref}: git knows no such commit here`, {
      fix: 'Name a branch, a tag or a commit: --changed=origin/main. In CI, fetch it first (`fetch-depth: 0`). Paths stand before --changed.',
    });
  }
  // Histories that have nothing in common, or were cut off by a shallow clone, have no such commit.
  return (await ask('merge-base', commit.trim(), 'HEAD').catch(() => commit)).trim();
}
