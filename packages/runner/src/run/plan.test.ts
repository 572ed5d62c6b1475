import { expect, it } from 'vitest';
import { testEntry } from '../../../../test/helpers/test-entry.js';
import { keyOf } from './last-run.js';
import { planRun } from './plan.js';

const three = [
  testEntry('a', { file: 'a.rehearsal.toml' }),
  testEntry('b', { file: 'b.rehearsal.toml', tags: ['Slow'] }),
  testEntry('c', { file: 'c.rehearsal.toml', id: 'hat-single@kiro' }),
];
const failed =
  (...ids: string[]) =>
  ({ id, stage }: { id: string; stage: string }) =>
    stage === 'sim' && ids.includes(id);
const names = (...args: Parameters<typeof planRun>) => planRun(...args).entries.map((entry) => entry.name);

it('filters by name, id, file and tag, whatever the case', () => {
  expect(names(three, { filter: 'A' })).toEqual(['a', 'b', 'c']);
  expect(names(three, { filter: 'slow' })).toEqual(['b']);
  expect(names(three, { filter: 'c.rehearsal' })).toEqual(['c']);
  expect(names(three, { filter: 'single@K' })).toEqual(['c']);
});

it('repeats each, and counts the rounds', () => {
  const planned = planRun(three.slice(0, 2), { repeat: 2 }).entries.map(({ name, round }) => `${name}${round}`);
  expect(planned).toEqual(['a1', 'a2', 'b1', 'b2']);
});

it('divides everything among shards, each exactly once', () => {
  const shards = [1, 2].map((index) => names(three, { shard: { index, count: 2 } }));
  expect(shards).toEqual([['a', 'c'], ['b']]);
});

it('cuts shards to the same length by what is known of the last run, and says when two were cut differently', () => {
  const durations = new Map([
    [keyOf({ id: 'a', stage: 'sim' }), 100],
    [keyOf({ id: 'hat-single@kiro', stage: 'sim' }), 900],
    ['of another project', 5000],
  ]);
  const plan = (index: number, known = durations) => planRun(three, { shard: { index, count: 2 }, durations: known });
  // b is new: taken to be of middle length.
  expect([1, 2].map((index) => plan(index).entries.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
  expect(plan(1).shard).toEqual({ index: 1, count: 2, cut: plan(2).shard?.cut, places: [0, 1] });
  expect(plan(1, new Map()).shard?.cut).not.toBe(plan(1).shard?.cut);
  expect(planRun(three, {}).shard).toBeUndefined();
});

it('leaves a shard empty when there are too few entries, and a plan when that is allowed', () => {
  expect(names(three, { shard: { index: 4, count: 4 } })).toEqual([]);
  expect(names(three, { filter: 'zzz', mayBeEmpty: true })).toEqual([]);
});

it('runs only what failed last time', () => {
  const only = failed('b');
  expect(names(three, { only })).toEqual(['b']);
  expect(names(three, { only, repeat: 2 })).toEqual(['b', 'b']);
  const elsewhere = three.map((entry) => ({ ...entry, stage: 'scripted' as const }));
  expect(() => planRun(elsewhere, { only })).toThrow('none is to be run');
});

it.each([
  [{ filter: 'zzz' }, '"zzz"'],
  [{ only: failed() }, '--last-failed'],
  [{ filter: 'slow', only: failed('a') }, '--last-failed'],
])('says why nothing is left: %j', (options, why) => {
  const error = { code: 'NOTHING_TO_RUN', fix: expect.stringContaining(why) };
  expect(() => planRun(three, options)).toThrow(expect.objectContaining(error));
});
