import { expect, it } from 'vitest';
import { exitCodeOf, type RehearsalResult, runResultSchema, summarise } from './result.js';

function result(status: RehearsalResult['status']): RehearsalResult {
  return {
    ...{ file: 'a', name: 'a', agent: 'claude', stage: 'sim', round: 1, status },
    ...{ steps: [], checks: [], attempts: 1, milliseconds: 1 },
  };
}
const run = (...statuses: RehearsalResult['status'][]) => summarise(statuses.map(result), 5);

it.each([
  [['passed', 'passed', 'skipped'], 0, true],
  [['passed', 'flaky'], 0, true],
  [['passed', 'failed'], 1, false],
  [['failed', 'error'], 2, false],
  [['passed', 'error'], 2, false],
  [['skipped'], 2, false],
  [[], 2, false],
] as const)('%j ends with %i', (statuses, code, ok) => {
  const summary = run(...statuses);
  expect([exitCodeOf(summary), summary.ok]).toEqual([code, ok]);
});

it('counts each kind, and is what its schema says', () => {
  const summary = run('passed', 'failed', 'flaky', 'skipped', 'error', 'passed');
  expect(summary).toMatchObject({ passed: 2, failed: 1, flaky: 1, skipped: 1, errors: 1, milliseconds: 5 });
  expect(runResultSchema.parse(summary)).toEqual(summary);
});
