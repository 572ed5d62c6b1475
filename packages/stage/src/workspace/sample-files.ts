import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { asUnderstudyError, UnderstudyError } from '@understudy/kit';
import * as z from 'zod/mini';
import { containedPath } from './contained-path.js';
import { stampInOrder } from './file-times.js';

/** A file to be put into a workspace. */
export const SampleFile = z.strictObject({
  path: z.string(),
  content: z.string(),
  executable: z.optional(z.boolean()),
});
export type SampleFile = z.infer<typeof SampleFile>;

export interface WrittenFiles {
  created: string[];
  overwritten: string[];
}

interface Target {
  sample: SampleFile;
  path: string;
}

/** Checks all of them before the first one is written. */
function resolveTargets(root: string, files: readonly SampleFile[]): Target[] {
  const targets = files.map((sample) => ({ sample, path: containedPath(root, sample.path) }));
  const taken = new Map<string, string>();
  for (const { sample, path } of targets) {
    if (taken.has(path)) conflict(sample.path, 'is given twice');
    taken.set(path, sample.path);
    if (existsSync(path) && !statSync(path).isFile()) conflict(sample.path, 'is a folder');
  }
  for (const { sample, path } of targets) {
    for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent)) {
      if (taken.has(parent)) conflict(sample.path, `lies below ${taken.get(parent)}, which is a file`);
    }
  }
  return targets;
}

function conflict(path: string, why: string): never {
  throw new UnderstudyError('WORKSPACE_FILE_CONFLICT', `${JSON.stringify(path)} ${why}`, {
    fix: 'Give each file a path of its own, and no file a path that is a folder.',
  });
}

/**
 * Writes files into a workspace: all of them or none. A path that is refused stops everything
 * before the first write; a write that fails takes the earlier ones back.
 */
export function writeSampleFiles(root: string, files: readonly SampleFile[]): WrittenFiles {
  const targets = resolveTargets(root, files);
  const undo: (() => void)[] = [];
  const written: WrittenFiles = { created: [], overwritten: [] };
  try {
    for (const { sample, path } of targets) {
      makeFolders(dirname(path), undo);
      const before = existsSync(path) ? readFileSync(path) : undefined;
      undo.push(() => (before === undefined ? rmSync(path, { force: true }) : writeFileSync(path, before)));
      writeFileSync(path, sample.content, { mode: sample.executable === true ? 0o755 : 0o644 });
      written[before === undefined ? 'created' : 'overwritten'].push(sample.path);
    }
    stampInOrder(targets.map(({ path }) => path));
  } catch (cause) {
    const { message, fix = 'Check the permissions and the free space.' } = asUnderstudyError(cause);
    const isUndone = undoAll(undo);
    throw new UnderstudyError('WORKSPACE_WRITE_FAILED', `the files could not be written below ${root}: ${message}`, {
      fix: `${fix} ${isUndone ? 'Nothing was left behind.' : 'Some files were left behind.'}`,
      cause,
    });
  }
  return written;
}

/** The last first. What stopped the writing may stop this, too. */
function undoAll(undo: (() => void)[]): boolean {
  const failed = undo.reverse().filter((step) => {
    try {
      step();
      return false;
    } catch {
      return true;
    }
  });
  return failed.length === 0;
}

function makeFolders(folder: string, undo: (() => void)[]): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
}
