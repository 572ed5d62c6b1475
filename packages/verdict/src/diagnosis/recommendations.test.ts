import { expect, it } from 'vitest';
import { sampleContext, sampleEntry } from '../../../../test/helpers/sample-results.js';
import type { EntryResult } from '../results/entry-result.js';
import type { Diagnosis, Quality } from '../results/sections.js';
import { findPatterns } from './patterns.js';
import { recommend } from './recommendations.js';

const failure = (id: string, parts: Partial<Diagnosis> = {}): EntryResult => {
  const entry = sampleEntry(id, 'failed');
  if (entry.diagnosis === undefined) throw new Error('a failed sample has a diagnosis');
  return { ...entry, diagnosis: { ...entry.diagnosis, ...parts } };
};

const success = (id: string, score: Quality['quality_score'], more: Partial<EntryResult> = {}): EntryResult => {
  const entry = sampleEntry(id, 'passed', more);
  if (entry.quality === undefined) throw new Error('a passed sample has a quality');
  const warning = { category: 'ExcessiveIterations' as const, message: '5 where 3 are expected', evidence: 'e' };
  return {
    ...entry,
    quality: { ...entry.quality, quality_score: score, warnings: score === 'Optimal' ? [] : [warning] },
  };
};

it('puts failures of one type together, with the best fix', () => {
  const fixes = [
    { description: 'maybe', confidence: 0.2 },
    { description: 'surely', confidence: 0.9, file_to_modify: 'ralph.yml' },
  ];
  const results = [
    failure('a@claude'),
    failure('b@kiro', { potential_fixes: fixes }),
    failure('c@claude', { failure_type: 'Unknown', potential_fixes: [] }),
  ];
  const [events, unknown, ...rest] = recommend(results, []);
  expect(events).toEqual({
    severity: 'Critical',
    category: 'event',
    title: 'Events are missing',
    description: 'The event was never written.',
    affected_tests: ['a@claude', 'b@kiro'],
    suggested_fix: 'surely (ralph.yml)',
  });
  expect(unknown).toMatchObject({ category: 'unknown', affected_tests: ['c@claude'] });
  expect(unknown).not.toHaveProperty('suggested_fix');
  expect(rest).toEqual([]);
});

it('warns of poor quality, mentions what is good, and is silent on the optimal', () => {
  const found = recommend(
    [success('a@claude', 'Suboptimal'), success('b@claude', 'Good'), success('c@claude', 'Optimal')],
    [],
  );
  expect(found.map(({ severity, affected_tests: ids }) => [severity, ids])).toEqual([
    ['Warning', ['a@claude']],
    ['Info', ['b@claude']],
  ]);
  expect(found[0]?.description).toBe('a@claude: 5 where 3 are expected');
});

it('warns of loopholes, with the tests that they affect', () => {
  const loophole = {
    title: 'T',
    pattern: 'p',
    evidence: ['x: y'],
    affected_tests: ['a@claude', 'b@kiro'],
    suggested_counter: 'c',
  };
  expect(recommend([], [loophole])).toMatchObject([
    { severity: 'Warning', category: 'loophole', affected_tests: ['a@claude', 'b@kiro'], suggested_fix: 'c' },
  ]);
});

it('says what is not known because it was skipped, by reason', () => {
  expect(
    recommend([sampleEntry('a@kiro', 'skipped'), sampleEntry('b@kiro', 'skipped', { reason: 'other' })], []),
  ).toMatchObject([
    { severity: 'Info', description: 'Nothing is known about these: not signed in', affected_tests: ['a@kiro'] },
    { severity: 'Info', affected_tests: ['b@kiro'] },
  ]);
});

it('tells of an agent that is much slower for the same cases', () => {
  const all = (kiroSeconds: number) =>
    ['a', 'b', 'c'].flatMap((id) => [
      success(`${id}@claude`, 'Optimal', { context: sampleContext({ duration_ms: 2000 }) }),
      success(`${id}@kiro`, 'Optimal', { context: sampleContext({ duration_ms: 1000 * kiroSeconds }) }),
    ]);
  expect(recommend(all(10), [])).toMatchObject([
    {
      severity: 'Info',
      title: 'kiro is slower than others',
      description: 'kiro took 30.0 s, claude 6.0 s for 3 cases.',
    },
  ]);
  expect(recommend(all(4), [])).toEqual([]);
  expect(recommend(all(10).slice(0, 4), [])).toEqual([]);
});

it('sees a pattern where two tests fail on the same, and a fix where all share it', () => {
  const results = [failure('a@claude'), failure('b@kiro'), failure('c@claude', { failure_type: 'Unknown' })];
  expect(findPatterns(results)).toEqual([
    {
      description: '2 tests failed with EventMissing on: event build.done',
      affected_tests: ['a@claude', 'b@kiro'],
      suggested_fix: 'Name the event in the prompt.',
    },
  ]);
  expect(findPatterns([failure('a@claude'), failure('b@kiro', { potential_fixes: [] })])[0]).not.toHaveProperty(
    'suggested_fix',
  );
  expect(findPatterns([failure('a@claude'), success('b@claude', 'Good')])).toEqual([]);
});
