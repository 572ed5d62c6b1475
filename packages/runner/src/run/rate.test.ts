import { expect, it } from 'vitest';
import { rateOf, wilsonInterval } from './rate.js';

it.each([
  [1, 1, 0.207, 1],
  [0, 1, 0, 0.793],
  [5, 10, 0.237, 0.763],
  [10, 10, 0.722, 1],
  [95, 100, 0.888, 0.978],
])('%i of %i lies between %f and %f', (passed, runs, low, high) => {
  const found = wilsonInterval(passed, runs);
  expect(found.low).toBeCloseTo(low, 3);
  expect(found.high).toBeCloseTo(high, 3);
});

it('keeps what it was made of', () => {
  expect(rateOf(4, 5, 0.8)).toMatchObject({ passed: 4, runs: 5, threshold: 0.8 });
});
