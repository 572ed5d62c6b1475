import { expect, it } from 'vitest';
import { failedRehearsal, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { compareRuns } from './compare-runs.js';
import type { EntryResult } from './entry-result.js';

const entry = (id: string, status: EntryResult['status'], duration_ms = 100) =>
  failedRehearsal('x', { id, status, duration_ms });

it('tells what is new, fixed, still red, slower, added and gone', () => {
  const before = rehearsalRun([
    entry('a', 'passed'),
    entry('b', 'failed'),
    entry('c', 'failed'),
    entry('d', 'passed', 1000),
    entry('e', 'passed'),
    entry('f', 'failed'),
    entry('g', 'passed', 10),
  ]);
  const after = rehearsalRun([
    entry('a', 'unjudged'),
    entry('b', 'flaky'),
    entry('c', 'error'),
    entry('d', 'passed', 3000),
    entry('f', 'skipped'),
    entry('g', 'passed', 30),
    entry('h', 'failed'),
  ]);
  const { newlyFailing, fixed, stillFailing, slower, newAndFailing, added, removed } = compareRuns(before, after);
  const ids = (pairs: readonly { after: EntryResult }[]) => pairs.map((pair) => pair.after.id);
  expect(ids(newlyFailing)).toEqual(['a']);
  expect(ids(fixed)).toEqual(['b']);
  expect(ids(stillFailing)).toEqual(['c']);
  expect(ids(slower)).toEqual(['d']);
  expect(newAndFailing.map(({ id }) => id)).toEqual(['h']);
  expect(added.map(({ id }) => id)).toEqual(['h']);
  expect(removed.map(({ id }) => id)).toEqual(['e']);
});
