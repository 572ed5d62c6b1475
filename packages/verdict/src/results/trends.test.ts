import { expect, it } from 'vitest';
import { type PastRun, trendsOf } from './trends.js';

const run = (tests: PastRun['tests']): PastRun => ({
  ...{ at: '2026-01-01T00:00:00.000Z', command: 'run', exit_code: 0, verdict: '', duration_ms: 1, total: 1, passed: 1 },
  tests,
});

it('finds the tests whose verdict turned, those that turned most often first', () => {
  const runs = [
    run({ steady: ['passed', 1], shaky: ['passed', 1], mended: ['failed', 1] }),
    run({ steady: ['flaky', 1], shaky: ['failed', 1], mended: ['unjudged', 1] }),
    run({ steady: ['passed', 1], shaky: ['passed', 1], mended: ['passed', 1], fresh: ['failed', 1] }),
    run({ steady: ['skipped', 1], mended: ['skipped', 1] }),
  ];
  expect(trendsOf(runs).changing).toEqual([
    { test: 'shaky', statuses: ['passed', 'failed', 'passed', undefined], turns: 2 },
    { test: 'mended', statuses: ['failed', 'unjudged', 'passed', 'skipped'], turns: 1 },
  ]);
});

it('finds what gets slower, and takes one slow moment for none', () => {
  const times = (...all: [number, number][]) =>
    all.map(([grows, jumps]) => run({ grows: ['passed', grows], jumps: ['passed', jumps] }));
  const runs = times([1000, 1000], [1100, 9000], [1050, 1000], [2000, 1000], [2600, 1000], [2500, 1000]);
  expect(trendsOf(runs).slowing).toEqual([{ test: 'grows', was: 1050, is: 2500 }]);
  expect(trendsOf(runs.slice(2, 5)).slowing).toEqual([]);
});
