import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch, UnderstudyError } from '@understudy/kit';
import type { EntryResult } from '@understudy/verdict';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyOf, lastCosts, lastDurations, lastFailed, rememberRun } from './last-run.js';

let scratch: Scratch;
let folder: string;
beforeEach(() => {
  scratch = createScratch('last-run');
  folder = join(scratch.path, '.understudy');
  for (const name of ['a', 'b', 'c']) writeFileSync(join(scratch.path, name), '');
});
afterEach(() => scratch.remove());

function remember(...results: [string, EntryResult['status']][]): Promise<void> {
  const entries = results.map(([name, status]): EntryResult => {
    const file = join(scratch.path, name);
    return {
      ...{ id: name, kind: 'rehearsal', file, name, tags: [], agent: 'claude', stage: 'sim', round: 1, status },
      ...{ rerun: '', steps: [], checks: [], attempts: 1, duration_ms: 1 },
    };
  });
  return rememberRun({ entries }, folder);
}
/** Those of the tests here that are known to have failed. */
function failed(stage = 'sim'): string[] {
  const isFailed = lastFailed(folder) ?? (() => true);
  return ['a', 'b', 'c', 'x'].filter((id) => isFailed({ id, stage, file: join(scratch.path, id) }));
}

it('knows nothing before the first run', () => {
  expect(lastFailed(folder)).toBeUndefined();
});

it('remembers what one play on a real model cost', async () => {
  const live: EntryResult = {
    ...{ id: 'a', kind: 'rehearsal', name: 'a', tags: [], agent: 'claude', stage: 'live', round: 1, status: 'passed' },
    ...{ rerun: '', steps: [], checks: [], attempts: 4, duration_ms: 1, usage: { calls: 4, cost_usd: 0.08 } },
    rate: { passed: 4, runs: 4, threshold: 0.8, low: 0.5, high: 1 },
  };
  await rememberRun({ entries: [live, { ...live, id: 'b', usage: { calls: 1 } }] }, folder);
  expect(lastCosts(folder)).toEqual(new Map([['a on live', 0.02]]));
});

it('remembers what failed and what could not run, in a folder that git ignores', async () => {
  await remember(['a', 'failed'], ['b', 'error'], ['c', 'passed']);
  expect(failed()).toEqual(['a', 'b']);
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

it('forgets what passed, and keeps what was not run', async () => {
  await remember(['a', 'failed'], ['b', 'failed']);
  await remember(['b', 'passed']);
  expect(failed()).toEqual(['a']);
});

it('remembers how long each took that came to its end', async () => {
  await remember(['a', 'failed'], ['b', 'skipped']);
  await remember(['c', 'passed']);
  const known = new Map(['a', 'c'].map((id) => [keyOf({ id, stage: 'sim' }), 1]));
  expect(lastDurations(folder)).toEqual(known);
  // The next shard must be cut as this one was.
  const other = { id: 'x', stage: 'sim', status: 'failed', duration_ms: 9 } as EntryResult;
  await rememberRun({ entries: [other], shard: { index: 1, count: 2, cut: '', places: [] } }, folder);
  expect(lastDurations(folder)).toEqual(known);
  expect(failed()).toEqual(['a', 'x']);
});

it('tells the stages of a case apart', async () => {
  await remember(['a', 'failed']);
  const passed = { id: 'a', stage: 'scripted', status: 'passed', duration_ms: 5 } as EntryResult;
  await rememberRun({ entries: [passed] }, folder);
  expect(failed()).toEqual(['a']);
});

it('forgets a file that is gone', async () => {
  await remember(['a', 'failed'], ['b', 'failed']);
  rmSync(join(scratch.path, 'a'));
  await remember(['c', 'passed']);
  expect(failed()).toEqual(['b']);
});

it('takes a file that it cannot read for a run in which nothing failed', async () => {
  await remember(['a', 'failed']);
  writeFileSync(join(folder, 'last-run.json'), '{');
  expect(failed()).toEqual([]);
  expect(existsSync(folder)).toBe(true);
});

it('never follows a link', async () => {
  const other = join(scratch.path, 'other');
  mkdirSync(other);
  symlinkSync(other, folder);
  await expect(remember(['a', 'failed'])).rejects.toThrow(/is a link/);
  expect(() => lastFailed(folder)).toThrow(/is a link/);
  expect(readdirSync(other)).toEqual([]);
  rmSync(folder);
  mkdirSync(folder);
  symlinkSync(join(scratch.path, 'a'), join(folder, 'last-run.json'));
  await remember(['b', 'failed']);
  expect(readFileSync(join(scratch.path, 'a'), 'utf8')).toBe('');
  expect(failed()).toEqual(['b']);
});

it('loses nothing when runs end at the same moment, and leaves no lock', async () => {
  await Promise.all([remember(['a', 'failed']), remember(['b', 'failed']), remember(['c', 'failed'])]);
  expect(failed()).toEqual(['a', 'b', 'c']);
  expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'last-run.json']);
});

it('takes all of a file that could not be loaded for failed, and one that cannot be loaded now, until it runs', async () => {
  const file = join(scratch.path, 'a');
  const entry = (id: string, status: EntryResult['status']) =>
    ({ id, file, stage: 'sim', status, duration_ms: 1 }) as EntryResult;
  await rememberRun({ entries: [entry(file, 'error')] }, folder);
  const mended = { id: 'a claude sim', stage: 'sim', file };
  expect(lastFailed(folder)?.(mended)).toBe(true);
  await rememberRun({ entries: [entry('a claude sim', 'failed')] }, folder);
  const broken = new UnderstudyError('DOCUMENT_SYNTAX', 'it is broken');
  expect(lastFailed(folder)?.({ id: file, stage: 'sim', file, broken })).toBe(true);
  await rememberRun({ entries: [entry('a claude sim', 'passed')] }, folder);
  expect([mended, { ...mended, id: file, broken }].map((one) => lastFailed(folder)?.(one))).toEqual([false, false]);
});
