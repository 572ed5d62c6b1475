import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runAllSteps, waitForAll } from './teardown.js';

it('runs every step, also after one that fails, and throws the first error', async () => {
  const done: string[] = [];
  const steps = [
    async () => {
      await sleep(5);
      done.push('one');
    },
    () => {
      throw new Error('two failed');
    },
    () => Promise.reject(new Error('three failed')),
    () => done.push('four'),
  ];
  await expect(runAllSteps(steps)).rejects.toThrow('two failed');
  expect(done).toEqual(['one', 'four']);
});

it('waits for all before it throws', async () => {
  let slow = false;
  const work = [
    Promise.reject(new Error('no')),
    sleep(20).then(() => {
      slow = true;
    }),
  ];
  await expect(waitForAll(work)).rejects.toThrow('no');
  expect(slow).toBe(true);
});
