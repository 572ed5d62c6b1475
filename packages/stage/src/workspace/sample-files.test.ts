import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeSampleFiles } from './sample-files.js';

let scratch: Scratch;
let root: string;
beforeEach(() => {
  scratch = createScratch('samples');
  root = join(scratch.path, 'root');
  mkdirSync(root);
});
afterEach(() => scratch.remove());

it('writes new files and overwrites old ones', () => {
  writeFileSync(join(root, 'old.txt'), 'old');
  const written = writeSampleFiles(root, [
    { path: 'old.txt', content: 'new' },
    { path: 'src/deep/tool.sh', content: 'echo', executable: true },
  ]);
  expect(written).toEqual({ created: ['src/deep/tool.sh'], overwritten: ['old.txt'] });
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('new');
  expect(statSync(join(root, 'src/deep/tool.sh')).mode & 0o100).toBe(0o100);
});

it.each(['../escape.txt', '/tmp/escape.txt', 'src/../../escape.txt', 'out/escape.txt', '.git/hooks/post-commit'])(
  'writes nothing when one of them is %j',
  (path) => {
    symlinkSync(scratch.path, join(root, 'out'));
    expect(() =>
      writeSampleFiles(root, [
        { path: 'good.txt', content: 'good' },
        { path, content: 'bad' },
      ]),
    ).toThrow(expect.objectContaining({ code: 'WORKSPACE_PATH_REFUSED' }));
    expect(readdirSync(root)).toEqual(['out']);
    expect(existsSync(join(scratch.path, 'escape.txt'))).toBe(false);
  },
);

it.each([
  { what: 'a path given twice', paths: ['a.txt', './a.txt'] },
  { what: 'a file below a file', paths: ['a.txt', 'a.txt/b.txt'] },
  { what: 'a file in place of a folder', paths: ['folder'] },
])('refuses $what and writes nothing', ({ paths }) => {
  mkdirSync(join(root, 'folder'));
  expect(() =>
    writeSampleFiles(
      root,
      paths.map((path) => ({ path, content: '' })),
    ),
  ).toThrow(expect.objectContaining({ code: 'WORKSPACE_FILE_CONFLICT' }));
  expect(readdirSync(root)).toEqual(['folder']);
});

it('takes everything back when a write fails half-way', () => {
  writeFileSync(join(root, 'old.txt'), 'old');
  const files = [
    { path: 'old.txt', content: 'new' },
    { path: 'new/deep/a.txt', content: 'new' },
    // What the type forbids reaches us all the same from plain JavaScript.
    { path: 'bad.txt', content: null as unknown as string },
  ];
  expect(() => writeSampleFiles(root, files)).toThrow(expect.objectContaining({ code: 'WORKSPACE_WRITE_FAILED' }));
  expect(readdirSync(root)).toEqual(['old.txt']);
  expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
});
