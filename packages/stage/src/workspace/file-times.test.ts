import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProject } from './create-project.js';
import { settleFileTimes } from './file-times.js';
import { writeSampleFiles } from './sample-files.js';

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-times-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** All paths, from the oldest to the newest, with their times. */
function byTime(root: string): [string, number][] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path): [string, number] => [path, statSync(join(root, path)).mtimeMs])
    .sort(([, a], [, b]) => a - b);
}

it('gives generated projects the same distinct times, in the order of their paths', () => {
  const [one, two] = [scratch(), scratch()];
  for (const folder of [one, two]) createProject(folder, { type: 'cli', language: 'python' });
  const times = byTime(one);
  expect(times).toEqual(byTime(two));
  expect(new Set(times.map(([, time]) => time)).size).toBe(times.length);
  expect(times.map(([path]) => path)).toEqual(times.map(([path]) => path).sort());
  expect(times.at(-1)?.[1]).toBeLessThan(Date.now());
});

it('leaves git and the targets of links alone', () => {
  const [root, other] = [scratch(), join(scratch(), 'other.txt')];
  writeFileSync(other, '');
  utimesSync(other, 1, 1);
  symlinkSync(other, join(root, 'link'));
  mkdirSync(join(root, '.git'));
  utimesSync(join(root, '.git'), 1, 1);
  settleFileTimes(root);
  expect([statSync(other).mtimeMs, statSync(join(root, '.git')).mtimeMs]).toEqual([1000, 1000]);
});

it('gives files that are added later times of now, each later than the one before it', () => {
  const root = scratch();
  const before = Date.now();
  const names = Array.from({ length: 20 }, (_, index) => `${20 - index}.txt`);
  writeSampleFiles(
    root,
    names.slice(0, 10).map((path) => ({ path, content: '' })),
  );
  writeSampleFiles(
    root,
    names.slice(10).map((path) => ({ path, content: '' })),
  );
  const times = byTime(root);
  expect(times.map(([path]) => path)).toEqual(names);
  expect(new Set(times.map(([, time]) => time)).size).toBe(20);
  // A time of a file is kept in seconds: a thousandth of a millisecond may get lost.
  expect(Math.round(times[0]?.[1] ?? 0)).toBeGreaterThanOrEqual(before);
});
