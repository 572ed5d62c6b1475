import { execFileSync, spawn } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UntrustedFolder } from './untrusted-folder.js';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untrusted-'));
  folder = join(root, 'ours');
  mkdirSync(join(folder, 'a'), { recursive: true });
  mkdirSync(join(root, 'user'));
  writeFileSync(join(root, 'user', 'key'), 'private');
  writeFileSync(join(folder, 'a', 'file'), 'text');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const reasons = (files: UntrustedFolder) => files.unreadable.map(({ path, reason }) => `${path} ${reason}`);

it('reads plain files, pieces of them, and folders', () => {
  const files = new UntrustedFolder(folder);
  expect(files.text('a/file')).toBe('text');
  expect(files.piece('a/file', { from: 1, longest: 2 })).toMatchObject({ bytes: Buffer.from('ex'), size: 4 });
  expect(files.piece('a/file', { from: 9 })?.bytes.length).toBe(0);
  expect(files.list().map(({ name }) => name)).toEqual(['a']);
  expect([files.text('nothing'), files.text('a/file/below'), files.list('nothing')]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  expect(files.unreadable).toEqual([]);
});

it('reads through a link above it: that one is not theirs', () => {
  symlinkSync(root, join(root, 'way'));
  expect(new UntrustedFolder(join(root, 'way', 'ours')).text('a/file')).toBe('text');
});

describe('refuses, and says what', () => {
  it.each<[string, () => void, string]>([
    ['a FIFO', () => execFileSync('mkfifo', [join(folder, 'a', 'x')]), 'a/x is a FIFO'],
    ['a link', () => symlinkSync(join(root, 'user', 'key'), join(folder, 'a', 'x')), 'a/x is a link'],
    ['a link to nothing', () => symlinkSync('nothing', join(folder, 'a', 'x')), 'a/x is a link'],
    ['a device', () => symlinkSync('/dev/zero', join(folder, 'a', 'x')), 'a/x is a link'],
    ['a folder', () => mkdirSync(join(folder, 'a', 'x')), 'a/x is a folder'],
    [
      'a file behind a link',
      () => {
        renameSync(join(folder, 'a'), join(root, 'user', 'a'));
        symlinkSync(join(root, 'user', 'a'), join(folder, 'a'));
      },
      'a is a link',
    ],
  ])('%s', (_, plant, reason) => {
    plant();
    const files = new UntrustedFolder(folder);
    expect([files.text('a/x'), files.text('a/x')]).toEqual([undefined, undefined]);
    expect(reasons(files)).toEqual([reason]);
  });

  it('a way out', () => {
    const files = new UntrustedFolder(folder);
    expect(files.text('../user/key')).toBeUndefined();
    expect(reasons(files)).toEqual(['../user/key leads out of its folder']);
  });

  it('itself, when it has become a link', () => {
    rmSync(folder, { recursive: true });
    symlinkSync(join(root, 'user'), folder);
    const files = new UntrustedFolder(folder);
    expect([files.text('key'), files.list()]).toEqual([undefined, []]);
    expect(reasons(files)).toEqual([`${join(realpathSync(root), 'ours')} is a link`]);
  });

  it('what is beyond the limit', () => {
    truncateSync(join(folder, 'a', 'file'), 300 * 1024 ** 3);
    const files = new UntrustedFolder(folder);
    expect(files.file('a/file')?.bytes.length).toBe(64 * 1024 ** 2);
    expect(reasons(files)).toEqual(['a/file is larger than 64 MB, and the rest was not read']);
  });

  it('what becomes a link between the look and the read', () => {
    // Folder and link change places all the time; whatever is read is never what the link shows.
    mkdirSync(join(root, 'user', 'a'));
    writeFileSync(join(root, 'user', 'a', 'file'), 'private');
    symlinkSync(join(root, 'user', 'a'), join(folder, 'b'));
    // It ends by itself where nobody is left to end it.
    const script = `const fs = require('fs'); const until = Date.now() + 60_000; while (Date.now() < until) { fs.renameSync('a', 'c'); fs.renameSync('b', 'a'); fs.renameSync('a', 'b'); fs.renameSync('c', 'a'); }`;
    const swapping = spawn(process.execPath, ['-e', script], { cwd: folder, stdio: 'ignore' });
    try {
      const files = new UntrustedFolder(folder);
      const seen = new Set<string | undefined>();
      const until = Date.now() + 30_000;
      // Until the race was met.
      while (!reasons(files).some((reason) => reason.includes('link')) && Date.now() < until)
        seen.add(files.text('a/file'));
      for (let more = 0; more < 20_000; more++) seen.add(files.text('a/file'));
      expect([...seen]).not.toContain('private');
    } finally {
      swapping.kill('SIGKILL');
    }
  }, 60_000);
});

it('writes in the place of what is there, and through no link', () => {
  symlinkSync(join(root, 'user', 'key'), join(folder, 'a', 'link'));
  symlinkSync(join(root, 'user'), join(folder, 'away'));
  mkdirSync(join(folder, 'in-the-way', 'x'), { recursive: true });
  const files = new UntrustedFolder(folder);
  for (const path of ['a/link', 'away/key', 'in-the-way', 'new/b/file']) files.write(path, path);
  for (const path of ['a/link', 'away/key', 'in-the-way', 'new/b/file'])
    expect(readFileSync(join(folder, path), 'utf8')).toBe(path);
  expect(lstatSync(join(folder, 'away')).isDirectory()).toBe(true);
  expect(readFileSync(join(root, 'user', 'key'), 'utf8')).toBe('private');
});
