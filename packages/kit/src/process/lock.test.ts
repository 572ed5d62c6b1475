import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formatHolder, type Holder, ownHolder } from './holder.js';
import { type LockOptions, withLock } from './lock.js';
import { createScratch, type Scratch } from './scratch.js';

let scratch: Scratch;
let file: string;
let waits: (Holder | undefined)[];

beforeEach(() => {
  scratch = createScratch('lock');
  file = join(scratch.path, 'locks', 'one');
  waits = [];
});

afterEach(() => scratch.remove());

function options(more: Partial<LockOptions> = {}): LockOptions {
  return {
    longestMs: 60_000,
    waitMs: 400,
    locked: (holder) => new Error(`locked by ${holder?.pid}`),
    onWait: (holder) => waits.push(holder),
    ...more,
  };
}

function leaveLock(text: string, ageMs = 0): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const then = new Date(Date.now() - ageMs);
  utimesSync(file, then, then);
}

const done = async () => 'done';

it('names its holder while the work runs, and is gone afterwards, also when the work fails', async () => {
  await withLock(file, options(), async () => expect(readFileSync(file, 'utf8')).toBe(formatHolder(ownHolder())));
  expect(existsSync(file)).toBe(false);
  await expect(withLock(file, options(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(readdirSync(dirname(file))).toEqual([]);
});

it('lets one work after the other', async () => {
  let inside = 0;
  const work = async () => {
    inside++;
    expect(inside).toBe(1);
    await sleep(20);
    inside--;
  };
  await Promise.all(Array.from({ length: 4 }, () => withLock(file, options({ waitMs: 5_000 }), work)));
  expect(existsSync(file)).toBe(false);
});

it.each([
  ['names nobody, because the disk was full', ''],
  ['is cut', '12'],
  ['has no start time', String(process.pid)],
])('takes over a lock that %s', async (_, text) => {
  leaveLock(text, 5_000);
  await expect(withLock(file, options(), done)).resolves.toBe('done');
});

it('gives a process that has just made its lock the time to write its name', async () => {
  leaveLock('');
  await expect(withLock(file, options(), done)).rejects.toThrow('locked by undefined');
  expect(existsSync(file)).toBe(true);
});

it('takes over the lock of a process whose id now belongs to somebody else', async () => {
  leaveLock(formatHolder({ ...ownHolder(), pid: process.ppid }));
  await expect(withLock(file, options(), done)).resolves.toBe('done');
  expect(waits).toEqual([]);
});

it('judges a lock of another machine by its age', async () => {
  const holder = { ...ownHolder(), machine: 'abcdef' };
  leaveLock(formatHolder(holder), 30_000);
  await expect(withLock(file, options(), done)).rejects.toThrow(`locked by ${process.pid}`);
  expect(waits).toEqual([holder]);
  leaveLock(formatHolder(holder), 90_000);
  await expect(withLock(file, options(), done)).resolves.toBe('done');
});

it('renews its lock while it works, for machines that cannot see its process', async () => {
  await withLock(file, options({ longestMs: 40 }), async () => {
    const then = new Date(0);
    utimesSync(file, then, then);
    await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(0);
  });
});

it('stops waiting at its deadline or when it is interrupted, and leaves the lock to its holder', async () => {
  leaveLock(formatHolder(ownHolder()));
  await expect(withLock(file, options(), done)).rejects.toThrow(`locked by ${process.pid}`);
  const signal = AbortSignal.timeout(150);
  await expect(withLock(file, options({ waitMs: 60_000, interrupted: signal }), done)).rejects.toThrow();
  expect(waits).toEqual([ownHolder(), ownHolder()]);
  expect(readFileSync(file, 'utf8')).toBe(formatHolder(ownHolder()));
});
