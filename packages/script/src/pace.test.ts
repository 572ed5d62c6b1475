import { expect, it } from 'vitest';
import { pacing } from './pace.js';

it('waits for the first piece as it is told, and for the others by their tokens', () => {
  const waitFor = pacing({ first_token_ms: 200, tokens_per_second: 10 });
  expect([13, 13, 2].map(waitFor)).toEqual([200, 1300, 200]);
});

it('waits for nothing that is not asked for', () => {
  expect([5, 5].map(pacing({ first_token_ms: 7 }))).toEqual([7, 0]);
  expect([5, 5].map(pacing({ tokens_per_second: 5 }))).toEqual([0, 1000]);
  expect([5, 5].map(pacing())).toEqual([0, 0]);
});
