import { expect, it } from 'vitest';
import { type RunResult, runResultSchema } from '../../src/results/run-result.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

async function play(cwd: string, contract: string, ...args: string[]): Promise<RunResult> {
  const { stdout, stderr } = await runUnderstudy(['e2e', ...args, '--orchestrator', contract, '--json'], { cwd });
  if (stdout === '') throw new Error(stderr);
  return runResultSchema.parse(JSON.parse(stdout));
}

const example = (name: string) => `${process.cwd()}/examples/orchestrators/${name}.orchestrator.toml`;

/** What did not pass, with its reasons. */
const notPassed = ({ entries }: RunResult) =>
  entries
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, checks }) => ({ id, status, failed: checks.filter((check) => check.status !== 'passed') }));

it('passes the bash loop, with every baseline red', { timeout: 300_000 }, async () => {
  const run = await play(loopWorkspace({}), example('bash'), 'claude');
  expect(notPassed(run)).toEqual([]);
  expect(run).toMatchObject({ passed: true, orchestrator: { kind: 'contract' }, counts: { total: 23 } });
  for (const { id, baselines = [] } of run.entries) expect([id, baselines.map(({ red }) => red)]).toEqual([id, [true]]);
});

it('passes the Python loop and the reference loop', { timeout: 300_000 }, async () => {
  for (const [name, agent] of [
    ['python', 'opencode'],
    ['reference', 'kiro'],
  ] as const) {
    const run = await play(loopWorkspace({}), example(name), agent, '--skip-baselines');
    expect([name, notPassed(run)]).toEqual([name, []]);
  }
});

it('plays the cases with the real CLI on the scripted model', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const args = ['claude', '--stage', 'scripted', '--skip-baselines'];
  for (const id of ['agent-fails-once', 'interrupted']) {
    expect(notPassed(await play(loopWorkspace({}), example('bash'), ...args, '--filter', id))).toEqual([]);
  }
});

it('shows what is wrong with a contract, and runs nothing', async () => {
  const cwd = loopWorkspace({ 'my.toml': 'agents = ["claude"]\nrun = ["./loop.sh", "{{promt}}"]\n' });
  const { code, stderr } = await runUnderstudy(['e2e', '--orchestrator', 'my.toml'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('Change it to {{prompt}}.');
  expect(stderr).toContain('my.toml:2:');
  const checked = await runUnderstudy(['check', example('bash')]);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('contract, 2 agents')]);
});
