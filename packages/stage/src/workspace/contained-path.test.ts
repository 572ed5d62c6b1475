import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { containedPath } from './contained-path.js';

let scratch: Scratch;
let root: string;
beforeEach(() => {
  scratch = createScratch('contained');
  root = join(scratch.path, 'root');
  mkdirSync(root);
});
afterEach(() => scratch.remove());

it.each(['a.txt', 'src/deep/a.txt', './a.txt', 'src//a.txt', '..a', 'a..', '.github/x.yml', '.gitignore'])(
  'lets %j through',
  (path) => {
    expect(containedPath(root, path).startsWith(`${root}/`)).toBe(true);
  },
);

it.each([
  '',
  '.',
  './',
  '..',
  '../a',
  'src/../../a',
  'src/..',
  '/etc/passwd',
  'C:\\x',
  'C:x',
  '\\\\host\\share',
  'a\\b',
  'a\0b',
  '.git/hooks/pre-commit',
  'sub/.GIT/config',
])('refuses %j', (path) => {
  expect(() => containedPath(root, path)).toThrow(expect.objectContaining({ code: 'WORKSPACE_PATH_REFUSED' }));
});

it('refuses a link on the way, at the end, and one that points nowhere', () => {
  mkdirSync(join(scratch.path, 'outside'));
  writeFileSync(join(scratch.path, 'outside', 'file'), '');
  symlinkSync(join(scratch.path, 'outside'), join(root, 'out'));
  symlinkSync(join(scratch.path, 'outside', 'file'), join(root, 'file'));
  symlinkSync(join(scratch.path, 'nowhere'), join(root, 'dangling'));
  for (const path of ['out/file', 'out/new', 'file', 'dangling']) {
    expect(() => containedPath(root, path)).toThrow('goes through a link');
  }
});

it('refuses what lies below a file, and names that are too long', () => {
  writeFileSync(join(root, 'file'), '');
  for (const path of ['file/below/it', `${'x'.repeat(300)}.txt`]) {
    expect(() => containedPath(root, path)).toThrow('cannot be looked at');
  }
});

it('lets the end be a link where asked, never the way', () => {
  symlinkSync(scratch.path, join(root, 'out'));
  expect(containedPath(root, 'out', { linkAtEnd: true })).toBe(join(root, 'out'));
  expect(() => containedPath(root, 'out/x', { linkAtEnd: true })).toThrow('goes through a link');
});

it('never gives a path outside, whatever is asked', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '.git', '~', ' '), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('', '/'), (parts, start) => {
      try {
        return containedPath(root, start + parts.join('/')).startsWith(`${root}/`);
      } catch (error) {
        return (error as { code?: string }).code === 'WORKSPACE_PATH_REFUSED';
      }
    }),
  );
});
