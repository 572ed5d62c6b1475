import { expect, it } from 'vitest';
import { exitCodes, limitReached, type Progress } from './termination.js';

const limits = { max_iterations: 3, max_runtime_seconds: 10, max_consecutive_failures: 2 };
const fresh: Progress = { iterations: 0, elapsedMs: 0, consecutiveFailures: 0, sameEvents: 0, redispatches: 0 };

it.each([
  [{}, undefined],
  [{ iterations: 2 }, undefined],
  [{ iterations: 3 }, 'max_iterations'],
  [{ elapsedMs: 10_000 }, 'max_runtime'],
  [{ consecutiveFailures: 1 }, undefined],
  [{ consecutiveFailures: 2 }, 'consecutive_failures'],
  [{ sameEvents: 3 }, 'loop_stale'],
  [{ redispatches: 3 }, 'loop_thrashing'],
])('finds for %o the limit %s', (progress, limit) => {
  expect(limitReached({ ...fresh, ...progress }, limits)).toBe(limit);
});

it('tells success, failure, limits and interruption apart by exit code', () => {
  const reasons = [
    'completed',
    'cancelled',
    'consecutive_failures',
    'loop_stale',
    'max_iterations',
    'max_runtime',
    'interrupted',
  ] as const;
  expect(reasons.map((reason) => exitCodes[reason])).toEqual([0, 0, 1, 1, 2, 2, 130]);
});
