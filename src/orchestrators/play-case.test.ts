import { expect, it } from 'vitest';
import type { Observation, StepRun } from './observation.js';
import { checksOf } from './play-case.js';

const RUN: StepRun = {
  ...{ command: ['loop'], code: 0, signal: null, stdout: 'done', stderr: '' },
  ...{ milliseconds: 1, timedOut: false, leftovers: [] },
};

function failuresOf(...runs: StepRun[]): string[] {
  const observed: Observation = {
    ...{ runs, last: runs.at(-1), timedOut: runs.some(({ timedOut }) => timedOut), events: [], iterations: [] },
    leftovers: runs.flatMap(({ leftovers }) => leftovers),
    termination: undefined,
    unlogged: [],
    read: () => undefined,
  };
  const steps = [{ run: [] }, { emit: ['a.topic'] }];
  const checks = checksOf({ check: () => [] }, observed, 'claude', { steps });
  return checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

it('fails every case that leaves a process behind', () => {
  expect(failuresOf(RUN)).toEqual([]);
  expect(failuresOf({ ...RUN, leftovers: ['sleep 600 (1)'] })).toEqual(['no process left']);
});

it('fails every case whose run prints nothing; other commands may be silent', () => {
  const silent = { ...RUN, stdout: '\n' };
  expect(failuresOf(silent)).toEqual(['every run prints something']);
  expect(failuresOf(RUN, silent)).toEqual([]);
});
