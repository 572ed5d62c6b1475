import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { suiteCases } from '../../packages/suites/src/ralph/cases/index.js';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { fakeRalph, runSuiteIn } from '../helpers/loop-suite.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy } from '../helpers/understudy.js';

it('passes every case on every backend, with every baseline red', { timeout: 600_000 }, async () => {
  const cwd = loopWorkspace({});
  const { code, stdout } = await runUnderstudy(['e2e', '--stage', 'sim', '--loop', '--json', '--skip-analysis'], {
    cwd,
  });
  const run: RunResult = runResultSchema.parse(JSON.parse(stdout));
  expect(run.entries.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(run).toMatchObject({ passed: true, exit_code: 0, orchestrator: { kind: 'reference' } });
  expect(run.counts).toMatchObject({ failed: 0, skipped: 0, total: suiteCases.flatMap((one) => one.backends).length });
  for (const { id, baselines = [], checks } of run.entries) {
    expect(baselines.length, id).toBeGreaterThan(0);
    expect(
      baselines.every(({ red }) => red),
      id,
    ).toBe(true);
    expect(
      checks.filter(({ category }) => category === 'baseline'),
      id,
    ).toHaveLength(baselines.length);
  }
  expect(code).toBe(0);
});

it('keeps workspaces on request, and of failed cases always', async () => {
  const cwd = loopWorkspace({});
  const run = (...args: string[]) =>
    runUnderstudy(
      [
        'e2e',
        '--stage',
        'sim',
        'kiro',
        '--loop',
        '--grep',
        'connect@kiro',
        '--skip-baselines',
        '--skip-analysis',
        ...args,
      ],
      {
        cwd,
      },
    );
  await run();
  expect(existsSync(join(cwd, '.e2e-tests/connect@kiro'))).toBe(false);
  await run('--keep-workspace');
  expect(existsSync(join(cwd, '.e2e-tests/connect@kiro/ralph.yml'))).toBe(true);
});

it('fails with 1 on an orchestrator that does nothing', async () => {
  const cwd = loopWorkspace({ ralph: fakeRalph('exit 0', 'ralph 9.9.9') });
  const { code, run } = await runSuiteIn(cwd, ['kiro', '--grep', 'hat-']);
  expect(code).toBe(1);
  expect(run.orchestrator).toMatchObject({ kind: 'ralph', version: '9.9.9' });
  expect(run.counts).toMatchObject({ passed: 0, failed: run.entries.length, skipped: 0 });
});

it('lists its cases by tier', async () => {
  const { code, stdout } = await runUnderstudy(['e2e', '--list']);
  expect(code).toBe(0);
  expect(stdout.match(/^Tier \d: .*/gm)).toHaveLength(7);
  expect(stdout).toMatch(/hat-topology +The coordinator is shown a table of all hats/);
});
