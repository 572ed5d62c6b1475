import { expect, it } from 'vitest';
import { entryId } from '../rehearsal/entry.js';
import type { Rehearsal } from '../rehearsal/load.js';
import type { RehearsalDocument } from '../rehearsal/schema.js';
import { planRun } from './plan.js';

function rehearsal(name: string, document: Partial<RehearsalDocument> = {}): Rehearsal {
  const whole = { steps: [{ send: 'x' }], ...document };
  return {
    file: `${name}.rehearsal.toml`,
    name,
    document: whole,
    scenario: { document: {}, warnings: [] },
    warnings: [],
  };
}
const three = [rehearsal('a'), rehearsal('b', { tags: ['Slow'] }), rehearsal('c')];
const names = (...args: Parameters<typeof planRun>) => planRun(...args).map((entry) => entry.rehearsal.name);
const thrown = (...args: Parameters<typeof planRun>) => {
  try {
    planRun(...args);
  } catch (error) {
    return error;
  }
  return undefined;
};

it('runs each on its own agents and stage, or the default', () => {
  const matrix = rehearsal('m', { agent: ['claude', 'codex'], stage: 'sim' });
  expect(planRun([matrix, rehearsal('d')], {})).toMatchObject([
    { agent: 'claude', stage: 'sim', round: 1 },
    { agent: 'codex', stage: 'sim', round: 1 },
    { agent: 'claude', stage: 'scripted', round: 1 },
  ]);
});

it('takes agents and stage from the command line instead', () => {
  expect(planRun([rehearsal('m', { agent: 'codex' })], { agents: ['gemini', 'kiro'], stage: 'live' })).toMatchObject([
    { agent: 'gemini', stage: 'live' },
    { agent: 'kiro', stage: 'live' },
  ]);
});

it('filters by name, file and tag, whatever the case', () => {
  expect(names(three, { filter: 'A' })).toEqual(['a', 'b', 'c']);
  expect(names(three, { filter: 'slow' })).toEqual(['b']);
  expect(names(three, { filter: 'c.rehearsal' })).toEqual(['c']);
});

it('repeats each, and counts the rounds', () => {
  expect(planRun(three.slice(0, 2), { repeat: 2 }).map(({ rehearsal: { name }, round }) => `${name}${round}`)).toEqual([
    'a1',
    'a2',
    'b1',
    'b2',
  ]);
});

it('divides everything among shards, each exactly once', () => {
  const shards = [1, 2].map((index) => names(three, { shard: { index, count: 2 } }));
  expect(shards).toEqual([['a', 'c'], ['b']]);
});

it('runs only what failed last time', () => {
  const only = new Set(['b.rehearsal.toml claude scripted']);
  expect(names(three, { only })).toEqual(['b']);
  expect(names(three, { only, repeat: 2 })).toEqual(['b', 'b']);
});

it('names an entry the same however its path is written', () => {
  const id = (file: string) => entryId({ rehearsal: { file }, agent: 'claude', stage: 'sim' });
  expect(new Set([id('x/a.toml'), id('./x/a.toml'), id('x/../x/a.toml'), id(`${process.cwd()}/x/a.toml`)]).size).toBe(
    1,
  );
});

it.each([
  [{ filter: 'zzz' }, '"zzz"'],
  [{ only: new Set<string>() }, '--last-failed'],
  [{ filter: 'slow', only: new Set(['a.rehearsal.toml claude scripted']) }, '--last-failed'],
  [{ shard: { index: 4, count: 4 } }, 'at most 3 shards'],
])('says why nothing is left: %j', (options, why) => {
  expect(thrown(three, options)).toMatchObject({ code: 'NOTHING_TO_RUN', fix: expect.stringContaining(why) });
});
