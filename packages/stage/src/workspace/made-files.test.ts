import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareSnapshots } from './compare-snapshots.js';
import { type MadeFiles, madeBetween, resetMadeFiles } from './made-files.js';
import { takeSnapshot } from './snapshot.js';

let scratch: Scratch;
let root: string;
beforeEach(() => {
  scratch = createScratch('made');
  root = join(scratch.path, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'mine.txt'), 'mine');
});
afterEach(() => scratch.remove());

function made(parts: Partial<MadeFiles>): MadeFiles {
  return { root, files: [], folders: [], ...parts };
}

it('removes what a run made, and only that', () => {
  const before = takeSnapshot(root);
  mkdirSync(join(root, 'out/deep'), { recursive: true });
  writeFileSync(join(root, 'out/deep/a.txt'), '');
  writeFileSync(join(root, 'mine.txt'), 'changed');
  symlinkSync(scratch.path, join(root, 'link'));
  const list = madeBetween(root, compareSnapshots(before, takeSnapshot(root)));
  writeFileSync(join(root, 'later.txt'), 'somebody else');
  expect(resetMadeFiles(root, list)).toEqual({
    removed: ['link', 'out/deep/a.txt', 'out/deep', 'out'],
    kept: [],
  });
  expect(readdirSync(root)).toEqual(['later.txt', 'mine.txt']);
});

it('keeps a folder in which somebody else put something', () => {
  mkdirSync(join(root, 'out'));
  writeFileSync(join(root, 'out/foreign.txt'), '');
  expect(resetMadeFiles(root, made({ folders: ['out'] })).kept).toEqual([
    { path: 'out', reason: 'it holds files of others' },
  ]);
});

it('may be called twice', () => {
  writeFileSync(join(root, 'a.txt'), '');
  expect(resetMadeFiles(root, made({ files: ['a.txt'] })).removed).toEqual(['a.txt']);
  expect(resetMadeFiles(root, made({ files: ['a.txt'] })).removed).toEqual([]);
});

it.each(['../outside.txt', '/etc/hostname', 'link/outside.txt', '.git/config', '.'])(
  'removes nothing when the list names %j',
  (path) => {
    writeFileSync(join(scratch.path, 'outside.txt'), 'outside');
    symlinkSync(scratch.path, join(root, 'link'));
    writeFileSync(join(root, 'a.txt'), '');
    expect(() => resetMadeFiles(root, made({ files: ['a.txt', path] }))).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_PATH_REFUSED' }),
    );
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
    expect(readFileSync(join(scratch.path, 'outside.txt'), 'utf8')).toBe('outside');
  },
);

it('refuses the list of another workspace', () => {
  expect(() => resetMadeFiles(scratch.path, made({}))).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_WRONG_ROOT' }),
  );
});
