import { expect, it } from 'vitest';
import type { EntryStatus } from './entry-result.js';
import { summarize } from './summarize.js';

it.each<[EntryStatus[], number, string]>([
  [['passed', 'passed', 'skipped'], 0, '2 of 3 rehearsals ran and passed; 1 skipped'],
  [['passed', 'passed'], 0, 'all rehearsals passed'],
  [['passed', 'flaky'], 0, 'all rehearsals passed'],
  [['passed', 'failed'], 1, '1 failed'],
  [['passed', 'unjudged'], 1, '1 could not be judged'],
  [['failed', 'unjudged', 'skipped'], 1, '1 failed, 1 could not be judged; 1 of 3 rehearsals skipped'],
  [['failed', 'error'], 2, '1 rehearsal could not be run by the harness: there is no verdict'],
  [['passed', 'error'], 2, '1 rehearsal could not be run by the harness: there is no verdict'],
  [['skipped'], 2, 'no rehearsal was run: there is no verdict; 1 of 1 rehearsals skipped'],
  [[], 2, 'no rehearsal was run: there is no verdict'],
  [['passed', 'failed', 'interrupted'], 130, 'interrupted: there is no verdict'],
])('%j ends with %i: %s', (statuses, code, verdict) => {
  const entries = statuses.map((status) => ({ status }));
  expect(summarize(entries, 'rehearsal')).toMatchObject({ exit_code: code, passed: code === 0, verdict });
});

it.each<[EntryStatus[], number, string]>([
  [['passed', 'skipped'], 1, '1 of 2 cases skipped, and --strict allows none; the others passed'],
  [['passed', 'flaky'], 0, 'all cases passed'],
  [['skipped'], 2, 'no case was run: there is no verdict; 1 of 1 cases skipped'],
  [['failed', 'skipped'], 1, '1 failed; 1 of 2 cases skipped'],
])('with --strict %j ends with %i: %s', (statuses, code, verdict) => {
  const entries = statuses.map((status) => ({ status }));
  expect(summarize(entries, 'case', true)).toMatchObject({ exit_code: code, passed: code === 0, verdict });
});

it('counts each kind', () => {
  const statuses: EntryStatus[] = [
    ...(['passed', 'failed', 'flaky', 'skipped', 'error', 'passed', 'unjudged', 'interrupted'] as const),
    'expected_failure',
  ];
  expect(
    summarize(
      statuses.map((status) => ({ status })),
      'case',
    ).counts,
  ).toEqual({
    ...{ total: 9, passed: 2, failed: 1, flaky: 1, skipped: 1, errors: 1, unjudged: 1, interrupted: 1 },
    expected_failures: 1,
  });
});
