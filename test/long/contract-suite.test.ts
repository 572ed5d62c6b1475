import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

async function play(cwd: string, contract: string, ...args: string[]): Promise<RunResult> {
  const { stdout, stderr } = await runUnderstudy(['e2e', '--stage', 'sim', ...args, '--contract', contract, '--json'], {
    cwd,
  });
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
  expect(run).toMatchObject({ passed: true, orchestrator: { kind: 'contract' }, counts: { total: 24 } });
  for (const { id, baselines = [] } of run.entries) expect([id, baselines.map(({ red }) => red)]).toEqual([id, [true]]);
});

const OTHERS: [name: string, agent: string][] = [
  ['python', 'opencode'],
  ['reference', 'kiro'],
];

// One of them here, both in a long run.
it.for(sample(OTHERS, 1, seedOr(1)))('passes the %s loop', { timeout: 300_000 }, async ([name, agent]) => {
  expect(notPassed(await play(loopWorkspace({}), example(name), agent, '--skip-baselines'))).toEqual([]);
});

it('plays the cases with the real CLI on the scripted model', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const args = ['claude', '--stage', 'scripted', '--skip-baselines'];
  for (const id of ['agent-fails-once', 'interrupted']) {
    expect(notPassed(await play(loopWorkspace({}), example('bash'), ...args, '--grep', id))).toEqual([]);
  }
});

it('shows what is wrong with a contract, and runs nothing', async () => {
  const cwd = loopWorkspace({ 'my.toml': 'agents = ["claude"]\nrun = ["./loop.sh", "{{promt}}"]\n' });
  const { code, stderr } = await runUnderstudy(['e2e', '--stage', 'sim', '--contract', 'my.toml'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('Change it to {{prompt}}.');
  expect(stderr).toContain('my.toml:2:');
  const checked = await runUnderstudy(['check', example('bash')]);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('contract, 2 agents')]);
});

/** Asks until it reads the promise, and looks at no exit code. */
const CARELESS = `#!/bin/bash
for n in $(seq "$1"); do
  answer=$(claude -p --dangerously-skip-permissions "$(cat PROMPT.md)")
  [[ $(tail -n 1 <<< "$answer") == LOOP_COMPLETE ]] && exit 0
done
exit 2
`;

it('finds a loop that ignores every exit code', { timeout: 120_000 }, async () => {
  const contract = [
    'agents = ["claude"]',
    'run = ["./careless.sh", "{{iterations}}"]',
    'files = { "task.txt" = "{{prompt}}" }',
    'stopped = { exit_code = 2 }',
  ].join('\n');
  const cwd = loopWorkspace({ 'careless.sh': CARELESS, 'my.toml': contract });
  chmodSync(`${cwd}/careless.sh`, 0o755);
  for (const [id, seen] of [
    ['promise-then-failure', 'complete (exit code 0)'],
    ['agent-fails-always', 'stopped (exit code 2)'],
    ['signed-out', 'stopped (exit code 2)'],
  ]) {
    const failed = notPassed(await play(cwd, 'my.toml', '--skip-baselines', '--grep', `${id}@claude`));
    expect(failed.flatMap((one) => one.failed)).toMatchObject([{ name: 'says failed', actual: seen }]);
  }
});

const STRICT = `#!/bin/bash
# Ends at an answer that it had before, wants to see a change, and falls back to the other agent.
said=
for n in $(seq "$1"); do
  for agent in claude opencode; do
    before=$(cat work.txt 2> /dev/null)
    if [ $agent = claude ]; then answer=$(claude -p --dangerously-skip-permissions "$(cat PROMPT.md)")
    else answer=$(opencode run "$(cat PROMPT.md)"); fi && break
  done || continue
  [[ $answer == "$said" ]] && exit 3
  said=$answer
  [[ $answer == *LOOP_COMPLETE && $(cat work.txt 2> /dev/null) != "$before" ]] && exit 0
done
exit 2
`;

it('describes a loop that wants progress, takes no repeated answer, and falls back', { timeout: 120_000 }, async () => {
  const contract = [
    'agents = ["claude", "opencode"]',
    'run = ["./strict.sh", "{{iterations}}"]',
    'files = { "task.txt" = "{{prompt}}" }',
    'on_agent_failure = "fallback"',
    'work_file = "work.txt"',
    'git = true',
    'stopped = { exit_code = 2 }',
  ].join('\n');
  const cwd = loopWorkspace({ 'strict.sh': STRICT, 'my.toml': contract });
  chmodSync(`${cwd}/strict.sh`, 0o755);
  for (const id of ['one-iteration', 'iteration-limit', 'agent-fails-once']) {
    const run = await play(cwd, 'my.toml', 'claude', '--skip-baselines', '--grep', `${id}@claude`);
    expect([run.counts.total, notPassed(run)]).toEqual([1, []]);
  }
});

/** Where the programs of others are, if they are on this machine, and what they are known to fail. */
const PUBLIC = [
  { name: 'ralph-starter', variable: 'UNDERSTUDY_RALPH_STARTER', agent: 'claude', fails: [] },
  { name: 'ralph-py', variable: 'UNDERSTUDY_RALPH_PY', agent: 'claude', fails: ['bad-bytes@claude'] },
  {
    ...{ name: 'ralph-orchestrator', variable: 'UNDERSTUDY_RALPH_ORCHESTRATOR', agent: 'kiro' },
    fails: ['promise-in-prompt@kiro', 'promise-in-tool-output@kiro', 'bad-bytes@kiro'],
  },
];

for (const { name, variable, agent, fails } of PUBLIC) {
  it(`plays the cases of the public ${name}`, { timeout: 600_000 }, async (context) => {
    const folder = process.env[variable];
    if (folder === undefined) return context.skip(`${variable} does not name the folder of ${name}`);
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const contract = example(`public/${name}`);
    const args = ['e2e', '--stage', 'sim', agent, '--contract', contract, '--skip-baselines', '--json'];
    const { stdout } = await runUnderstudy(args, { cwd: loopWorkspace({}), env });
    const { entries } = runResultSchema.parse(JSON.parse(stdout));
    expect(entries.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(fails);
  });
}
