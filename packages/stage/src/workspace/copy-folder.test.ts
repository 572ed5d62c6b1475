import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { copyFolder } from './copy-folder.js';

let outside = '';
let project = '';
let copy = '';

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-copy-')));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  [project, copy] = [join(outside, 'project'), join(outside, 'copy')];
  mkdirSync(join(project, 'src'), { recursive: true });
  mkdirSync(join(outside, 'shared'));
  writeFileSync(join(outside, 'secret.txt'), 'original');
  writeFileSync(join(outside, 'shared', 'part.txt'), 'original');
  writeFileSync(join(project, 'src', 'main.sh'), 'inside');
  chmodSync(join(project, 'src', 'main.sh'), 0o755);
});

const link = (target: string, path: string) => symlinkSync(target, join(project, path));
const linkIn = (path: string) => readlinkSync(join(copy, path));

it('copies what a link out of the project leads to, so that a write does not reach the original', () => {
  link('../secret.txt', 'relative.txt');
  link(join(outside, 'secret.txt'), 'absolute.txt');
  link(join(outside, 'shared'), 'shared');
  copyFolder(project, copy);
  for (const path of ['relative.txt', 'absolute.txt', 'shared/part.txt']) {
    expect(lstatSync(join(copy, path)).isFile(), path).toBe(true);
    writeFileSync(join(copy, path), 'changed');
  }
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('original');
  expect(readFileSync(join(outside, 'shared', 'part.txt'), 'utf8')).toBe('original');
});

it('keeps links within the project, and lets absolute ones lead into the copy', () => {
  link('src/main.sh', 'one');
  link('one', 'two');
  link('not-yet', 'dangling');
  link(join(project, 'src'), 'absolute');
  link('../project/src', 'around');
  link('src/../src', 'detour');
  link('.', 'self');
  copyFolder(project, copy);
  expect(['one', 'two', 'dangling', 'absolute', 'around', 'detour', 'self'].map(linkIn)).toEqual([
    ...['src/main.sh', 'one', 'not-yet', 'src', 'src', 'src', '.'],
  ]);
  expect(realpathSync(join(copy, 'absolute', 'main.sh'))).toBe(join(copy, 'src', 'main.sh'));
  expect(statSync(join(copy, 'src', 'main.sh')).mode & 0o777).toBe(0o755);
});

it.each([
  ['a link to nothing outside', '../nothing', /outside of the folder and does not exist/],
  ['a link to a folder around it', '..', /which it lies in/],
])('refuses %s', (_name, target, message) => {
  link(target, 'link');
  expect(() => copyFolder(project, copy)).toThrow(message);
});

it('refuses a pipe, and a repository that is elsewhere', () => {
  execFileSync('mkfifo', [join(project, 'pipe')]);
  expect(() => copyFolder(project, copy)).toThrow(/pipe is a named pipe/);
  rmSync(join(project, 'pipe'));
  writeFileSync(join(project, '.git'), `gitdir: ${outside}/repository/worktrees/project\n`);
  expect(() => copyFolder(project, copy)).toThrow(/commits of an agent would change that one/);
  copyFolder(project, join(outside, 'without'), { leaveOut: ['.git'] });
});
