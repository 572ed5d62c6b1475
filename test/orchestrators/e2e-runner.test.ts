import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { shellWord } from '../../packages/kit/src/process/shell-word.js';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { fakeRalph, REFERENCE_LOOP } from '../helpers/loop-suite.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

// What `e2e` has from the runner that it shares with `run`.

const SOUND = fakeRalph(`exec ${REFERENCE_LOOP} "$@"`);
const LAZY = fakeRalph('exit 0');

async function suite(cwd: string, ...args: string[]): Promise<RunResult> {
  const more = ['--ralph', './ralph', '--skip-analysis', '--skip-baselines', '--json'];
  const { stdout, stderr } = await runUnderstudy(['e2e', '--stage', 'sim', ...args, ...more], { cwd });
  if (stdout === '') throw new Error(stderr);
  return runResultSchema.parse(JSON.parse(stdout));
}

const ids = ({ entries }: RunResult) => entries.map(({ id }) => id);

it('runs a shard, and all shards together are the suite', async () => {
  const cwd = loopWorkspace({ ralph: LAZY });
  const whole = await suite(cwd, 'all', '--grep', 'connect');
  const parts = [await suite(cwd, 'all', '--grep', 'connect', '--shard', '1/2')];
  parts.push(await suite(cwd, 'all', '--grep', 'connect', '--shard', '2/2'));
  expect(parts.map(({ shard }) => shard)).toMatchObject([
    { index: 1, count: 2, cut: parts[1]?.shard?.cut },
    { index: 2, count: 2 },
  ]);
  expect(parts.flatMap(ids).sort()).toEqual(ids(whole).sort());
  expect(Math.max(...parts.map((part) => ids(part).length))).toBeLessThan(ids(whole).length);
});

it('repeats a case in a workspace of each round', async () => {
  const cwd = loopWorkspace({ ralph: SOUND });
  const run = await suite(cwd, 'kiro', '--grep', 'connect@kiro', '--repeat', '2', '--keep-workspace');
  expect(run.entries.map(({ id, round, status }) => [id, round, status])).toEqual([
    ['connect@kiro', 1, 'passed'],
    ['connect@kiro', 2, 'passed'],
  ]);
  for (const name of ['connect@kiro', 'connect@kiro.round-2'])
    expect(existsSync(join(cwd, '.e2e-tests', name, '.ralph/current-iterations')), name).toBe(true);
});

it('stops after so many failures, and says why the others did not run', async () => {
  const cwd = loopWorkspace({ ralph: LAZY });
  const run = await suite(cwd, 'kiro', '--grep', 'hat-', '--max-failures', '1', '--workers', '1');
  expect(run.counts).toMatchObject({ failed: 1, skipped: run.counts.total - 1 });
  expect(run.entries[1]).toMatchObject({ status: 'skipped', reason: 'not run: --max-failures 1 was reached' });
});

it('runs what failed last time', async () => {
  // It does nothing in one case, and everything in the others.
  const ralph = fakeRalph(`case "$PWD" in */hat-topology@kiro) exit 0 ;; esac\nexec ${REFERENCE_LOOP} "$@"`);
  const cwd = loopWorkspace({ ralph });
  expect((await suite(cwd, 'kiro', '--grep', 'hat-')).counts).toMatchObject({ failed: 1, passed: 8 });
  writeFileSync(join(cwd, 'ralph'), SOUND);
  const again = await suite(cwd, 'kiro', '--last-failed');
  expect(again.entries.map(({ id, status }) => [id, status])).toEqual([['hat-topology@kiro', 'passed']]);
  const { code, stderr } = await runUnderstudy(
    ['e2e', '--stage', 'sim', 'kiro', '--last-failed', '--ralph', './ralph'],
    { cwd },
  );
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('NOTHING_TO_RUN') });
});

it('runs again when the program of the orchestrator changes, until it is interrupted', async () => {
  const cwd = loopWorkspace({ ralph: LAZY });
  const args = [
    'e2e',
    '--stage',
    'sim',
    'kiro',
    '--grep',
    'connect@kiro',
    '--ralph',
    './ralph',
    '--skip-analysis',
    '--skip-baselines',
  ];
  const child = spawn(process.execPath, [UNDERSTUDY, ...args, '--watch'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, NO_COLOR: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(() => output, { timeout: 60_000 }).toContain('watching; Ctrl-C ends');
  expect(output).toContain('FAILED: 1 failed');
  writeFileSync(join(cwd, 'ralph'), SOUND);
  await expect.poll(() => output, { timeout: 60_000 }).toContain('PASSED: all cases passed');
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  expect(readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8')).toContain('## 🟢 PASSED');
});

it('tries a failed case again on live, and calls it flaky when it passes then', async () => {
  const cwd = loopWorkspace({});
  const text = 'Hello from the agent.\nLOOP_COMPLETE';
  const events = [
    { type: 'assistant', message: { content: [{ type: 'text', text }] } },
    { type: 'result', result: text },
  ];
  writeFileSync(join(cwd, 'answer.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  // A signed-in CLI that does not answer at its first start.
  const claude = `#!/bin/sh
case "$1" in
  --version) echo '9.9.9 (Claude Code)'; exit;;
  auth) echo '{"loggedIn": true, "authMethod": "api_key"}'; exit;;
esac
cat > /dev/null
if [ -e '${cwd}/again' ]; then cat '${cwd}/answer.jsonl'; else touch '${cwd}/again'; exit 1; fi
`;
  writeFileSync(join(cwd, 'claude'), claude, { mode: 0o755 });
  const args = [
    'e2e',
    '--stage',
    'sim',
    'claude',
    '--loop',
    '--stage',
    'live',
    '--grep',
    'connect@claude',
    '--skip-analysis',
  ];
  const env = { HOME: cwd, UNDERSTUDY_STORE: join(cwd, 'store'), UNDERSTUDY_CLAUDE: join(cwd, 'claude') };
  const more = ['--skip-baselines', '--retries', '2', '--json'];
  const { code, stdout, stderr } = await runUnderstudy([...args, ...more], { cwd, env });
  const { entries, counts } = JSON.parse(stdout) as RunResult;
  expect(entries, stderr).toMatchObject([{ status: 'flaky', attempts: 2 }]);
  expect({ code, counts }).toMatchObject({ code: 0, counts: { flaky: 1, passed: 0 } });
});

it('says what live will call, stops at a limit, and gives a rate', async () => {
  const cwd = loopWorkspace({});
  const text = 'Hello from the agent.\nLOOP_COMPLETE';
  const events = [
    { type: 'assistant', message: { content: [{ type: 'text', text }] } },
    { type: 'result', result: text, total_cost_usd: 0.02 },
  ];
  writeFileSync(join(cwd, 'answer.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const claude = `#!/bin/sh
case "$1" in
  --version) echo '9.9.9 (Claude Code)'; exit;;
  auth) echo '{"loggedIn": true, "authMethod": "api_key"}'; exit;;
esac
cat > /dev/null; cat '${cwd}/answer.jsonl'; echo called >> '${cwd}/called.txt'
`;
  writeFileSync(join(cwd, 'claude'), claude, { mode: 0o755 });
  const env = { HOME: cwd, UNDERSTUDY_STORE: join(cwd, 'store'), UNDERSTUDY_CLAUDE: join(cwd, 'claude') };
  const live = async (filter: string, ...more: string[]) => {
    const args = [
      'e2e',
      '--stage',
      'sim',
      'claude',
      '--loop',
      '--stage',
      'live',
      '--grep',
      filter,
      '--skip-baselines',
      '--json',
    ];
    rmSync(join(cwd, 'called.txt'), { force: true });
    const { stdout, stderr } = await runUnderstudy([...args, ...more], { cwd, env });
    const called = readFileSync(join(cwd, 'called.txt'), 'utf8').trim().split('\n').length;
    return { run: JSON.parse(stdout) as RunResult, stderr, called };
  };
  const often = await live('connect@claude', '--repeat', '3', '--skip-analysis');
  expect(often.stderr).toContain('live: 3 to 6 calls of real agents (claude 3 to 6); no limit of calls');
  expect(often.run.entries).toMatchObject([
    { status: 'passed', rate: { passed: 3, runs: 3, threshold: 0.8 }, usage: { calls: 3, cost_usd: 0.06 } },
  ]);
  // No more than two calls may be made, so only the first case is started, and no analyzer.
  const limited = await live('connect@claude or single-iter@claude or (@nothing)', '--max-calls', '2');
  expect(limited.run.entries).toMatchObject([
    { id: 'connect@claude', status: 'passed' },
    { id: 'single-iter@claude', status: 'unjudged', reason: expect.stringContaining('--max-calls 2') },
  ]);
  expect(limited.run).toMatchObject({ exit_code: 1, analysis: { status: 'skipped' } });
  expect(limited.called).toBe(1);
});

it('waits for a suite in the same folder, and names it; Ctrl-C ends the wait', async () => {
  // Its first case goes on when the file is there.
  const go = join(loopWorkspace({}), 'go');
  const slow = `while [ ! -e ${shellWord(go)} ]; do sleep 0.05; done\nexec ${REFERENCE_LOOP} "$@"`;
  const cwd = loopWorkspace({ ralph: fakeRalph(slow) });
  const args = [
    'e2e',
    '--stage',
    'sim',
    'kiro',
    '--ralph',
    './ralph',
    '--grep',
    'connect@kiro',
    '--skip-analysis',
    '--skip-baselines',
  ];
  const first = startUnderstudy(args, { cwd });
  await vi.waitUntil(() => existsSync(join(cwd, '.e2e-tests/connect@kiro')), { timeout: 30_000 });
  const others = [startUnderstudy(args, { cwd }), startUnderstudy(args, { cwd })] as const;
  onTestFinished(() => [first, ...others].forEach((run) => void run.signal('SIGKILL')));
  const waiting = new RegExp(`waiting for process ${first.pid}, which uses .*e2e-tests`);
  await Promise.all(others.map((other) => other.says(waiting)));
  others[0].signal('SIGINT');
  expect(await others[0].exited).toBe(130);
  writeFileSync(go, '');
  expect(await Promise.all([first.exited, others[1].exited])).toEqual([0, 0]);
  expect(existsSync(join(cwd, '.e2e-tests/.lock'))).toBe(false);
}, 60_000);
