import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy } from '../helpers/understudy.js';

interface Report {
  passed: number;
  failed: number;
  skipped: number;
  exitCode: number;
  orchestrator: { kind: string };
  results: { id: string; status: string; baselines: { red: boolean }[] }[];
}

it('passes every case on every backend, with every baseline red', { timeout: 600_000 }, async () => {
  const cwd = loopWorkspace({});
  const { code, stdout } = await runUnderstudy(['e2e', '--json'], { cwd });
  const report = JSON.parse(stdout) as Report;
  expect(report.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report).toMatchObject({ failed: 0, skipped: 0, exitCode: 0, orchestrator: { kind: 'reference' } });
  expect(report.passed).toBeGreaterThanOrEqual(85);
  expect(report.results.every(({ baselines }) => baselines.length > 0 && baselines.every(({ red }) => red))).toBe(true);
  expect(code).toBe(0);
});

it('keeps workspaces on request, and of failed cases always', async () => {
  const cwd = loopWorkspace({});
  const run = (...args: string[]) =>
    runUnderstudy(['e2e', 'kiro', '--filter', 'kiro-connect', '--skip-baselines', ...args], { cwd });
  await run();
  expect(existsSync(join(cwd, '.e2e-tests/kiro-connect'))).toBe(false);
  await run('--keep-workspace');
  expect(existsSync(join(cwd, '.e2e-tests/kiro-connect/ralph.yml'))).toBe(true);
});

it('fails with 1 on an orchestrator that does nothing', async () => {
  const cwd = loopWorkspace({ ralph: '#!/bin/sh\n[ "$1" = --version ] && echo ralph 9.9.9\nexit 0\n' });
  const result = await runUnderstudy(['e2e', 'kiro', '--filter', 'hat-', '--ralph', './ralph', '--skip-baselines'], {
    cwd,
  });
  expect(result.code).toBe(1);
  expect(result.stdout).toMatch(/FAILED: 0 passed, \d+ failed, 0 skipped .*ralph 9\.9\.9/);
});

it('has no verdict, and says why: nothing matches, no such ralph, a wrong backend', async () => {
  const cwd = loopWorkspace({});
  expect(await runUnderstudy(['e2e', '--filter', 'zzz'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SUITE_NOTHING_TO_RUN'),
  });
  expect(await runUnderstudy(['e2e', '--ralph', './nowhere'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SUITE_NO_RALPH'),
  });
  expect((await runUnderstudy(['e2e', 'gemini'], { cwd })).code).toBe(2);
});

it('lists its cases by tier', async () => {
  const { code, stdout } = await runUnderstudy(['e2e', '--list']);
  expect(code).toBe(0);
  expect(stdout.match(/^Tier \d: .*/gm)).toHaveLength(7);
  expect(stdout).toMatch(/hat-topology +The coordinator is shown a table of all hats/);
});
