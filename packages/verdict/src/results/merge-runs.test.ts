import { expect, it } from 'vitest';
import { oneOfEach, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { mergeRuns } from './merge-runs.js';
import type { RunResult } from './run-result.js';

const entries = oneOfEach();
const shard = (index: number, count = 2, parts: Partial<RunResult> = {}) => {
  const places = [...entries.keys()].filter((place) => place % count === index - 1);
  return rehearsalRun(
    places.flatMap((place) => entries[place] ?? []),
    { shard: { index, count, cut: 'in turn', places }, ...parts },
  );
};

it('makes one result of the shards, in the order of the plan', () => {
  const late = { started_at: '2026-01-20T14:30:10.000Z', duration_ms: 1000 };
  const merged = mergeRuns([shard(2, 2, late), shard(1)]);
  expect(merged.entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
  expect(merged).toMatchObject({ ...rehearsalRun(entries), duration_ms: 11_000 });
  expect(merged.shard).toBeUndefined();
});

it('takes a shard that had nothing to do', () => {
  expect(mergeRuns([...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => shard(index, 9))]).entries).toHaveLength(8);
});

it.each<[string, RunResult[], string]>([
  ['a missing shard', [shard(1, 3), shard(3, 3)], 'shard 2 of 3 is missing'],
  ['a shard twice', [shard(1), shard(2), shard(2)], 'shard 2 of 2 is there twice'],
  ['other counts', [shard(1, 2), shard(2, 3)], 'the number of shards is 2 in one and 3 in another'],
  [
    'shards that were cut differently',
    [1, 2].map((index) => shard(index, 2, { shard: { index, count: 2, cut: `${index}`, places: [] } })),
    'the cut of the shards is 1 in one and 2 in another',
  ],
  ['other commands', [shard(1), shard(2, 2, { command: 'e2e' })], 'the command is run in one and e2e in another'],
  ['other versions', [shard(1), shard(2, 2, { understudy_version: '9' })], 'the version of understudy is 0.1.0'],
  ['the same test twice', [rehearsalRun(entries), rehearsalRun(entries)], 'two results have the test'],
  ['nothing', [], 'there is no result to merge'],
])('refuses %s', (_what, runs, message) => {
  expect(() => mergeRuns(runs)).toThrow(message);
});
