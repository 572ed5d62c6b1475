import { expect, it } from 'vitest';
import { Lockstep } from './lockstep.js';

it('lets each step begin when all have come so far, and does not wait for who has left', async () => {
  const seen: string[] = [];
  const lockstep = new Lockstep(3);
  const call = async (name: string, steps: number): Promise<void> => {
    for (let step = 1; step <= steps; step++) {
      seen.push(`${name}${step}`);
      await lockstep.reach();
    }
    lockstep.leave();
  };
  await Promise.all([call('a', 2), call('b', 1), call('c', 3)]);
  expect(seen).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'c3']);
});
