import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { UnderstudyError } from '../errors.js';
import type { Change } from './compare-snapshots.js';
import { containedPath } from './contained-path.js';

/** What a run made below a root: single files, and folders that go when they are empty. */
export const MadeFiles = z.strictObject({
  version: z.literal(1),
  root: z.string(),
  files: z.array(z.string()),
  folders: z.array(z.string()),
});
export type MadeFiles = z.infer<typeof MadeFiles>;

/** What a run made, from the changes between the moment before it and the moment after it. */
export function madeBetween(root: string, changes: readonly Change[]): MadeFiles {
  const added = changes.filter(({ change }) => change === 'added');
  const paths = (folders: boolean) =>
    added.filter(({ after }) => (after?.kind === 'folder') === folders).map(({ path }) => path);
  return { version: 1, root: realpathSync(root), files: paths(false), folders: paths(true) };
}

/** Keeps the list for a later reset, outside of the workspace that it speaks about. */
export function writeMadeFiles(file: string, made: MadeFiles): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
}

/** Reads such a list; anything else is an error, because files are removed by it. */
export function readMadeFiles(file: string): MadeFiles {
  try {
    return MadeFiles.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new UnderstudyError('WORKSPACE_BAD_MANIFEST', `${file} is not a list of files that a run made`, {
      fix: 'Nothing was removed. Remove the leftovers by hand, or name the file that the run wrote.',
      cause,
    });
  }
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
