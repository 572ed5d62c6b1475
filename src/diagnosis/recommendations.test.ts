import { expect, it } from 'vitest';
import { sampleResult } from '../../test/helpers/suite-report.js';
import type { Diagnosis, PassedAnalysis, ReportedResult } from '../results/schema.js';
import { findPatterns } from './patterns.js';
import { recommend } from './recommendations.js';

const base = sampleResult('x@claude', 'failed').diagnosis;

const failure = (id: string, parts: Partial<Diagnosis> = {}): ReportedResult =>
  sampleResult(id, 'failed', base === undefined ? {} : { diagnosis: { ...base, ...parts } });

const success = (
  id: string,
  score: PassedAnalysis['quality_score'],
  more: Partial<ReportedResult> = {},
): ReportedResult => {
  const result = sampleResult(id, 'passed', more);
  if (result.analysis === undefined) throw new Error('a passed sample has an analysis');
  const warning = { category: 'ExcessiveIterations' as const, message: '5 where 3 are expected', evidence: 'e' };
  const warnings = score === 'Optimal' ? [] : [warning];
  return { ...result, analysis: { ...result.analysis, quality_score: score, warnings } };
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

it('warns of loopholes, with the cases of their evidence', () => {
  const loophole = {
    title: 'T',
    pattern: 'p',
    evidence: ['a@claude: x', 'a@claude: y', 'b@kiro: z'],
    suggested_counter: 'c',
  };
  expect(recommend([], [loophole])).toMatchObject([
    { severity: 'Warning', category: 'loophole', affected_tests: ['a@claude', 'b@kiro'], suggested_fix: 'c' },
  ]);
});

it('says what is not known because it was skipped, by reason', () => {
  expect(
    recommend([sampleResult('a@kiro', 'skipped'), sampleResult('b@kiro', 'skipped', { reason: 'other' })], []),
  ).toMatchObject([
    { severity: 'Info', description: 'Nothing is known of these: nobody is signed in', affected_tests: ['a@kiro'] },
    { severity: 'Info', affected_tests: ['b@kiro'] },
  ]);
});

it('tells of a backend that is much slower for the same cases', () => {
  const all = (kiroSeconds: number) =>
    ['a', 'b', 'c'].flatMap((id) => [
      success(`${id}@claude`, 'Optimal', { duration_seconds: 2 }),
      success(`${id}@kiro`, 'Optimal', { backend: 'kiro', duration_seconds: kiroSeconds }),
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

it('sees a pattern where two cases fail on the same, and a fix where all share it', () => {
  const results = [failure('a@claude'), failure('b@kiro'), failure('c@claude', { failure_type: 'Unknown' })];
  expect(findPatterns(results)).toEqual([
    {
      description: '2 cases failed with EventMissing on: build.done is published',
      affected_tests: ['a@claude', 'b@kiro'],
      suggested_fix: 'Name the event in the prompt.',
    },
  ]);
  expect(findPatterns([failure('a@claude'), failure('b@kiro', { potential_fixes: [] })])[0]).not.toHaveProperty(
    'suggested_fix',
  );
  expect(findPatterns([failure('a@claude'), success('b@claude', 'Good')])).toEqual([]);
});
