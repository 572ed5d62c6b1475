import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareSnapshots, formatChanges } from './compare-snapshots.js';
import { takeSnapshot } from './snapshot.js';

let scratch: Scratch;
let root: string;
const put = (path: string, content: string | Buffer) => writeFileSync(join(root, path), content);

beforeEach(() => {
  scratch = createScratch('snapshot');
  root = scratch.path;
});
afterEach(() => scratch.remove());

it('finds what was added, removed and modified', () => {
  put('keep.txt', 'same\n');
  put('change.txt', 'one\ntwo\n');
  put('gone.txt', 'bye\n');
  const before = takeSnapshot(root);
  put('change.txt', 'one\n2\n');
  rmSync(join(root, 'gone.txt'));
  mkdirSync(join(root, 'new'));
  put('new/file.txt', 'hello\n');
  const changes = compareSnapshots(before, takeSnapshot(root));
  expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
    'modified change.txt',
    'removed gone.txt',
    'added new',
    'added new/file.txt',
  ]);
  expect(formatChanges(changes)).toBe(
    '--- a/change.txt\n+++ b/change.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n' +
      '--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-bye\n' +
      '--- /dev/null\n+++ b/new/file.txt\n@@ -0,0 +1,1 @@\n+hello\n',
  );
});

it('sees no difference when nothing changed', () => {
  put('a.txt', 'same');
  const before = takeSnapshot(root);
  put('a.txt', 'same');
  expect(compareSnapshots(before, takeSnapshot(root))).toEqual([]);
});

it('sees a changed right', () => {
  put('run.sh', 'echo\n');
  const before = takeSnapshot(root);
  chmodSync(join(root, 'run.sh'), 0o755);
  const changes = compareSnapshots(before, takeSnapshot(root));
  expect(changes).toHaveLength(1);
  expect(formatChanges(changes)).toContain('mode changed');
});

it('knows binary and long files by their hash alone', () => {
  put('binary', Buffer.from([1, 0, 2]));
  put('long', 'x'.repeat(11));
  const before = takeSnapshot(root, { longestText: 10 });
  expect([before.get('binary')?.text, before.get('long')?.text]).toEqual([undefined, undefined]);
  put('binary', Buffer.from([1, 0, 3]));
  put('long', 'y'.repeat(11));
  const changes = compareSnapshots(before, takeSnapshot(root, { longestText: 10 }));
  expect(changes.map(({ path }) => path)).toEqual(['binary', 'long']);
  expect(formatChanges(changes)).toContain('binary or long file: 3 → 3 bytes');
});

it('records links without following them, and does not hang on a pipe', () => {
  symlinkSync('/etc', join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const snapshot = takeSnapshot(root);
  expect(snapshot.get('link')).toMatchObject({ kind: 'link', text: '/etc' });
  expect(snapshot.get('pipe')?.kind).toBe('other');
  expect(snapshot.size).toBe(2);
});

it('leaves out what is ignored', () => {
  for (const folder of ['.git', 'node_modules', 'mine']) mkdirSync(join(root, folder));
  expect([...takeSnapshot(root).keys()]).toEqual(['mine']);
  expect([...takeSnapshot(root, { ignore: ['mine'] }).keys()]).toEqual(['.git', 'node_modules']);
});

it('refuses to judge a workspace that is too large', () => {
  for (const name of ['a', 'b', 'c']) put(name, '');
  expect(() => takeSnapshot(root, { mostEntries: 2 })).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_TOO_LARGE' }),
  );
});

it('does not read what is very large, and still sees that it changed', () => {
  put('large', '');
  const large = join(root, 'large');
  // Longer than Node can read at once.
  truncateSync(large, 3 * 1024 ** 3);
  const before = takeSnapshot(root).get('large');
  expect(before).toMatchObject({ kind: 'file', size: 3 * 1024 ** 3 });
  expect(takeSnapshot(root).get('large')).toEqual(before);
  utimesSync(large, 1, 1);
  expect(takeSnapshot(root).get('large')?.hash).not.toBe(before?.hash);
});
