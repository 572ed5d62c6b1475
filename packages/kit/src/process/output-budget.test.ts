import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { describeCut, OutputBudget } from './output-budget.js';
import { runToEnd } from './run-to-end.js';

it('tells the widest limit that was passed, and forgets a turn when the next one begins', () => {
  const run = new OutputBudget('run', 100);
  const turn = new OutputBudget('turn', 10, run);
  turn.spend(10);
  expect(turn.cut).toBeUndefined();
  turn.spend(1);
  expect(turn.cut).toEqual({ scope: 'turn', limitBytes: 10 });
  turn.renew();
  expect(turn.cut).toBeUndefined();
  new OutputBudget('turn', 1000, run).spend(90);
  expect(turn.cut).toEqual({ scope: 'run', limitBytes: 100 });
  expect(describeCut({ scope: 'run', limitBytes: 3 * 1024 * 1024 })).toBe('more than 3 MB of output in one run');
});

it('ends a program that writes without end, and keeps what it wrote until then', async () => {
  const output = new OutputBudget('program', 100_000);
  const run = await runToEnd({
    command: ['/bin/sh', '-c', 'yes'],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
    deadlineMs: 60_000,
    output,
  });
  expect(run).toMatchObject({ signal: 'SIGKILL', timedOut: false, killedBy: expect.stringContaining('100000 bytes') });
  expect(run.stdout.length).toBeLessThan(1_000_000);
  expect(run.stderr).toBe('understudy ended it: more than 100000 bytes of output from one program');
});
