import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { failedRehearsal, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { addToHistory, readHistory } from './history.js';
import { keyOf } from './last-run.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('history');
});
afterEach(() => scratch.remove());

const entry = failedRehearsal('Glob', { usage: { calls: 1, input_tokens: 100, output_tokens: 5 } });

it('keeps a line for each run, which only the user may read', async () => {
  await addToHistory(rehearsalRun([entry]), scratch.path);
  expect(readHistory(scratch.path)).toMatchObject([
    { command: 'run', exit_code: 1, total: 1, passed: 0, tokens: 105, tests: { [keyOf(entry)]: ['failed', 1234] } },
  ]);
  expect(statSync(join(scratch.path, 'history.jsonl')).mode & 0o777).toBe(0o600);
});

it('keeps the last hundred, and no shard', async () => {
  const file = join(scratch.path, 'history.jsonl');
  await addToHistory(rehearsalRun([entry]), scratch.path);
  const line = readFileSync(file, 'utf8');
  writeFileSync(file, `{"of another version":1}\n${line.repeat(99)}`);
  await addToHistory(rehearsalRun([entry], { shard: { index: 1, count: 2, cut: '', places: [] } }), scratch.path);
  expect(readHistory(scratch.path)).toHaveLength(99);
  await addToHistory(rehearsalRun([entry], { started_at: 'newest' }), scratch.path);
  const kept = readHistory(scratch.path);
  expect([kept.length, kept.at(-1)?.at]).toEqual([100, 'newest']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
