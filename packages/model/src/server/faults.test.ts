import type { Fault } from '@understudy/script';
import { expect, it } from 'vitest';
import type { ModelConversation } from './conversation.js';
import { chance, faultFor } from './faults.js';

const struck = (faults: Fault[], count: number, { seed = 1, id = 'c' } = {}) =>
  Array.from({ length: count }, (_, index) => index + 1).filter(
    (requests) => faultFor(faults, { id, requests } as ModelConversation, seed) !== undefined,
  );

it('strikes the n-th request, and as many after it as it says', () => {
  expect(struck([{ request: 2, failure: { type: 'overloaded' } }], 5)).toEqual([2]);
  expect(struck([{ request: 2, failure: { type: 'overloaded', times: 3 } }], 6)).toEqual([2, 3, 4]);
});

it('strikes every n-th request', () => {
  expect(struck([{ every: 3, failure: { type: 'overloaded' } }], 9)).toEqual([3, 6, 9]);
});

it('strikes by chance, but the same ones each time', () => {
  const faults: Fault[] = [{ chance: 0.3, failure: { type: 'overloaded' } }];
  const once = struck(faults, 1000);
  expect(struck(faults, 1000)).toEqual(once);
  expect(once.length).toBeGreaterThan(240);
  expect(once.length).toBeLessThan(360);
  expect(struck(faults, 1000, { seed: 2 })).not.toEqual(once);
  expect(struck(faults, 1000, { id: 'd' })).not.toEqual(once);
});

it('takes the first fault that strikes, and says where it is written', () => {
  const faults: Fault[] = [
    { request: 9, failure: { type: 'overloaded' } },
    { every: 1, failure: { type: 'server_error' } },
  ];
  expect(faultFor(faults, { id: 'c', requests: 1 } as ModelConversation, 0)).toEqual({
    failure: { type: 'server_error' },
    rulePath: 'faults[1]',
  });
});

it('draws evenly', () => {
  const drawn = Array.from({ length: 10_000 }, (_, index) => chance(7, index));
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  expect(mean).toBeGreaterThan(0.48);
  expect(mean).toBeLessThan(0.52);
});
