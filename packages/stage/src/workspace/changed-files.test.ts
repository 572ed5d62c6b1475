import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedFiles } from './changed-files.js';
import { commitAll, git, initRepository } from './git.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('changed');
});
afterEach(() => scratch.remove());

const at = (path: string) => join(scratch.path, path);
function put(path: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), `${path} ${Math.random()}`);
}

it('is what is not committed, with files that are new and files that are gone', async () => {
  for (const path of ['same', 'changed', 'gone', 'deep/staged']) put(path);
  writeFileSync(at('.gitignore'), 'ignored\n');
  await initRepository(scratch.path);
  put('changed');
  put('deep/staged');
  await git(scratch.path, ['add', 'deep/staged']);
  put('deep/ü new');
  put('ignored');
  rmSync(at('gone'));
  const expected = { top: scratch.path, files: ['changed', 'deep/staged', 'deep/ü new', 'gone'].map(at) };
  expect(await changedFiles(scratch.path)).toEqual(expected);
  expect(await changedFiles(at('deep'))).toEqual(expected);
});

it('is what a branch changed, not what others committed since', async () => {
  put('one');
  await initRepository(scratch.path);
  await git(scratch.path, ['checkout', '--quiet', '-b', 'feature']);
  put('mine');
  await commitAll(scratch.path, 'mine');
  await git(scratch.path, ['checkout', '--quiet', 'main']);
  put('theirs');
  await commitAll(scratch.path, 'theirs');
  await git(scratch.path, ['checkout', '--quiet', 'feature']);
  put('fresh');
  expect(await changedFiles(scratch.path, 'main')).toMatchObject({ files: [at('fresh'), at('mine')] });
  expect(await changedFiles(scratch.path)).toMatchObject({ files: [at('fresh')] });
});

it('is everything before the first commit', async () => {
  await git(scratch.path, ['init', '--quiet']);
  put('one');
  expect(await changedFiles(scratch.path)).toMatchObject({ files: [at('one')] });
});

it('is an error without a repository, and for a commit that git does not know', async () => {
  await expect(changedFiles(scratch.path)).rejects.toMatchObject({
    code: 'BAD_FLAG',
    message: expect.stringContaining('in no repository'),
  });
  await initRepository(scratch.path);
  for (const ref of ['nowhere', '--output=x', '']) {
    await expect(changedFiles(scratch.path, ref)).rejects.toMatchObject({
      code: 'BAD_FLAG',
      fix: expect.stringContaining('fetch-depth'),
    });
  }
});
