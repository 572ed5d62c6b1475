import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { UnderstudyError } from '@understudy/kit';
import type { Change } from './compare-snapshots.js';
import { containedPath } from './contained-path.js';

/** What a run made below a root: single files, and folders that go when they are empty. */
export interface MadeFiles {
  root: string;
  files: string[];
  folders: string[];
}

/** What a run made, from the changes between the moment before it and the moment after it. */
export function madeBetween(root: string, changes: readonly Change[]): MadeFiles {
  const added = changes.filter(({ change }) => change === 'added');
  const paths = (folders: boolean) =>
    added.filter(({ after }) => (after?.kind === 'folder') === folders).map(({ path }) => path);
  return { root: realpathSync(root), files: paths(false), folders: paths(true) };
}

export interface Reset {
  removed: string[];
  /** Left where they are, each with the reason. */
  kept: { path: string; reason: string }[];
}

/**
 * Removes what a run made, and nothing else. The list must belong to this root, and every path in
 * it must lie below: one that does not stops the reset before anything is removed.
 */
export function resetMadeFiles(root: string, made: MadeFiles): Reset {
  if (!existsSync(root) || realpathSync(root) !== made.root) {
    throw new UnderstudyError('WORKSPACE_WRONG_ROOT', `the list is about ${made.root}, not about ${root}`, {
      fix: 'Reset a workspace with the list of its own run.',
    });
  }
  // A link that the run made goes itself; what it points at stays.
  const files = made.files.map((path) => ({ path, target: containedPath(root, path, { linkAtEnd: true }) }));
  const folders = made.folders.map((path) => ({ path, target: containedPath(root, path) }));
  const reset: Reset = { removed: [], kept: [] };
  for (const { path, target } of files) {
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isDirectory()) reset.kept.push({ path, reason: 'it is a folder now' });
    else {
      rmSync(target);
      reset.removed.push(path);
    }
  }
  // The deepest first, so that a folder is empty when its turn comes.
  for (const { path, target } of folders.sort((a, b) => b.path.length - a.path.length)) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) continue;
    if (readdirSync(target).length > 0) reset.kept.push({ path, reason: 'it holds files of others' });
    else {
      rmdirSync(target);
      reset.removed.push(path);
    }
  }
  return reset;
}
