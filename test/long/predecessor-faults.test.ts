import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { standInCommand } from '../../packages/agents/src/stand-in.js';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import type { Played } from '../../packages/runner/src/run/entry.js';
import type { SuiteCase } from '../../packages/suites/src/orchestrators/case.js';
import { playCase } from '../../packages/suites/src/orchestrators/play-case.js';
import { suiteStage } from '../../packages/suites/src/orchestrators/suite-stage.js';
import { Workspaces } from '../../packages/suites/src/orchestrators/workspace.js';
import { hatCases } from '../../packages/suites/src/ralph/cases/hats.js';
import { condition } from '../../packages/suites/src/ralph/checks/program-checks.js';
import { referenceDialect } from '../../packages/suites/src/ralph/dialect.js';
import { combinedStatus } from '../../packages/verdict/src/checks/result.js';
import { fakeRalph, REFERENCE_LOOP, runSuiteIn, verdicts } from '../helpers/loop-suite.js';
import { loopWorkspace, runLoopIn } from '../helpers/loop-workspace.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

/**
 * An earlier suite of this kind had eleven faults. Each has a test here that ours does not have it;
 * most put a program in the place of the orchestrator that the earlier suite would have believed.
 */

/** Plays a case that is not part of the suite, on Kiro's stand-in. */
function playChanged(suiteCase: SuiteCase, root: string, command: readonly string[]): Promise<Played> {
  return playCase(
    { suiteCase, backend: 'kiro', workspace: suiteCase.id },
    {
      orchestrator: { kind: 'reference', command, version: '0.0.0', dialect: referenceDialect },
      stage: suiteStage('sim', { version: '0.0.0' }),
      workspaces: new Workspaces(root),
      withBaselines: false,
    },
  );
}

it('1: at the deadline nobody is left alive, and what was seen is kept', async () => {
  const root = loopWorkspace({
    ralph: '#!/bin/sh\necho seen on stdout\necho seen on stderr >&2\nsetsid sleep 600 &\necho $! > child.pid\nwait\n',
  });
  const hanging: SuiteCase = {
    id: 'hanging',
    description: 'An orchestrator that never ends',
    tier: 'Error Handling',
    backends: ['kiro'],
    expectedIterations: 1,
    baselines: [],
    setup: () => ({ config: {}, prompt: 'x', scenario: {}, timeoutMs: 1500 }),
    check: ({ timedOut }) => [condition('in time', !timedOut, 'an end', `timed out: ${timedOut}`)],
  };
  const { checks, context } = await playChanged(hanging, root, [join(root, 'ralph')]);
  expect(combinedStatus(checks)).toBe('failed');
  expect(context).toMatchObject({ timed_out: true, stdout: 'seen on stdout', stderr: 'seen on stderr' });
  // Killed it is; a busy machine may need a moment to bury it.
  await expect
    .poll(() => isAlive(Number(readFileSync(join(root, '.e2e-tests/hanging/child.pid'), 'utf8'))), {
      timeout: 10_000,
    })
    .toBe(false);
});

it('2: a run in which all was skipped, or nothing was there to run, is not green', async () => {
  const cwd = loopWorkspace({});
  const args = ['e2e', '--stage', 'sim', 'kiro', '--loop', '--stage', 'scripted', '--grep', 'connect'];
  const skipped = await runUnderstudy(args, { cwd });
  expect(skipped).toMatchObject({ code: 2, stdout: expect.stringMatching(/^1 skipped in /m) });
  expect(skipped.stdout).toContain('kiro-cli cannot be pointed at a scripted model');
  expect(skipped.stdout).not.toContain('PASSED');
  const nothing = await runUnderstudy(['e2e', '--stage', 'sim', '--loop', '--grep', 'zzz'], { cwd });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('NOTHING_TO_RUN') });
});

it('3: a usage error of an unknown flag is no authentication failure', async () => {
  const withFlag = `[ "$1" = run ] && set -- "$@" -- --no-such-flag\nexec ${REFERENCE_LOOP} "$@"`;
  const cwd = loopWorkspace({ ralph: fakeRalph(withFlag) });
  const { code, run } = await runSuiteIn(cwd, ['kiro', '--grep', 'auth-failure']);
  expect(code).toBe(1);
  expect(run.entries.map(verdicts)).toEqual([
    {
      'exit code 1': 'passed',
      'every run prints something': 'passed',
      'every event is in the events file': 'passed',
      'no process left': 'passed',
      'terminated: consecutive_failures': 'passed',
      '2 iterations': 'passed',
      'the failure is about credentials': 'failed',
    },
  ]);
});

const BOASTER = [
  'ITERATION 1 | ralph | 1/3',
  'Iteration 2 of 3',
  '[iter 3/3 done]',
  'Iterations: 3',
  'LOOP_COMPLETE',
  'Loop terminated: completed',
];

const boasting = BOASTER.map((line) => `echo '${line}'`).join('\n');

it('4: iterations are counted by records, not by what somebody writes about them', async () => {
  const cwd = loopWorkspace({ ralph: fakeRalph(boasting) });
  const { code, run } = await runSuiteIn(cwd, ['kiro', '--grep', 'multi-iter']);
  expect(code).toBe(1);
  expect(run.entries[0]).toMatchObject({ context: { stdout: BOASTER.join('\n'), iterations_completed: 0 } });
  expect(run.entries[0]?.checks).toContainEqual(
    expect.objectContaining({ name: '3 iterations', status: 'failed', actual: '0' }),
  );
});

it('5: a promise on the console or in a sentence completes nothing', async () => {
  const cwd = loopWorkspace({ ralph: fakeRalph(boasting) });
  const { run } = await runSuiteIn(cwd, ['kiro', '--grep', 'completion@kiro']);
  expect(run.entries.map(verdicts)).toMatchObject([{ 'exit code 0': 'passed', 'terminated: completed': 'failed' }]);
  const root = loopWorkspace({
    'ralph.yml': 'cli: { backend: custom, command: ./agent }',
    agent: `#!/bin/sh\n${boasting}\n`,
  });
  const { result, end } = await runLoopIn(root, ['-p', 'x', '--max-iterations', '2']);
  expect([result.code, end?.reason, end?.iterations]).toEqual([2, 'max_iterations', 2]);
});

// In these cases every rule of the script is somebody's part.
const shared = hatCases.filter(({ id }) => id === 'hat-multi-workflow' || id === 'hat-event-routing');
const parts = shared.flatMap((suiteCase) =>
  (suiteCase.setup('kiro', 'sim').scenario.responses ?? []).map((_, index) => ({ suiteCase, index })),
);

it('6: no part of shared work can be missing, whoever does the others', { timeout: 180_000 }, async () => {
  expect(parts).toHaveLength(7);
  const runs = parts.map(async ({ suiteCase, index }) => {
    const setup = suiteCase.setup('kiro', 'sim');
    const responses = (setup.scenario.responses ?? []).filter((_, other) => other !== index);
    const changed = { ...setup, scenario: { ...setup.scenario, responses } };
    const loop = [process.execPath, UNDERSTUDY, 'orchestrator', 'loop'];
    return playChanged({ ...suiteCase, setup: () => changed }, loopWorkspace({}), loop);
  });
  const results = await Promise.all(runs);
  expect(results.map(({ checks }) => combinedStatus(checks))).toEqual(Array(7).fill('failed'));
  // Where the builder is silent, the planner's part is seen, and the builder's own is missed.
  expect(verdicts(results[1] ?? { checks: [] })).toMatchObject({
    'event build.task by planner with "the lexer"': 'passed',
    'event build.done by builder': 'failed',
  });
});

it('7: a CLI that tells its version is not thereby signed in, and its cases do not run', async () => {
  const root = loopWorkspace({
    claude:
      '#!/bin/sh\n[ "$1" = --version ] && echo "9.9.9 (Claude Code)" && exit\necho called >> called.txt\nexit 1\n',
  });
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
  const result = await runUnderstudy(args, {
    cwd: root,
    env: { HOME: root, UNDERSTUDY_STORE: join(root, 'store'), UNDERSTUDY_CLAUDE: join(root, 'claude') },
  });
  expect(result).toMatchObject({ code: 2, stdout: expect.stringMatching(/^1 skipped in /m) });
  expect(result.stdout).toContain('not signed in');
  expect(existsSync(join(root, '.e2e-tests/connect@claude'))).toBe(false);
});

it('8: a workspace that is already there is cleared, and old facts prove nothing', async () => {
  const cwd = loopWorkspace({ ralph: fakeRalph(`exec ${REFERENCE_LOOP} "$@"`) });
  const workspace = join(cwd, '.e2e-tests/connect@kiro');
  const args = ['kiro', '--grep', 'connect@kiro', '--keep-workspace'];
  expect((await runSuiteIn(cwd, args)).code).toBe(0);
  writeFileSync(join(workspace, 'old.txt'), 'old');
  expect(existsSync(join(workspace, '.ralph/current-iterations'))).toBe(true);
  writeFileSync(join(cwd, 'ralph'), fakeRalph('exit 0'));
  const { code, run } = await runSuiteIn(cwd, args);
  expect(code).toBe(1);
  expect(run.entries[0]).toMatchObject({ context: { iterations_completed: 0 } });
  expect(existsSync(join(workspace, 'old.txt'))).toBe(false);
});

it('9: each iteration gets its own answer, in order, and with its delay', async () => {
  const [program = '', ...before] = standInCommand('kiro');
  const answers = ['first', 'second', 'third\nLOOP_COMPLETE'];
  const root = loopWorkspace({
    'ralph.yml': 'cli: { backend: kiro }\nevent_loop: { max_iterations: 5 }',
    'scenario.json': JSON.stringify({
      responses: answers.map((text, index) => ({
        pattern: { type: 'any' },
        when: { turn: index + 1 },
        response: { text, delay_ms: 150 * index },
      })),
    }),
    'bin/kiro-cli': `#!/bin/sh\nexec '${program}' ${before.map((word) => `'${word}'`).join(' ')} "$@"\n`,
  });
  const { ends, end } = await runLoopIn(root, ['-p', 'the same every time'], {
    PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
    KIRO_API_KEY: 'ksk_fake',
    UNDERSTUDY_SCENARIO: join(root, 'scenario.json'),
    UNDERSTUDY_STATE: join(root, 'state.json'),
  });
  expect(ends.map(({ output }) => output)).toEqual(answers);
  expect(end).toMatchObject({ reason: 'completed', iterations: 3 });
  for (const [index, { milliseconds }] of ends.entries()) expect(milliseconds).toBeGreaterThanOrEqual(150 * index);
});

it('10: what the harness cannot do is 2, what the orchestrator cannot do is 1', async () => {
  const cwd = loopWorkspace({ ralph: fakeRalph('exit 0') });
  const run = (...args: string[]) =>
    runUnderstudy(['e2e', '--stage', 'sim', 'kiro', '--grep', 'connect@kiro', ...args], { cwd });
  expect((await run('--ralph', './ralph', '--skip-analysis')).code).toBe(1);
  expect(await run('--ralph', './nowhere')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SUITE_NO_RALPH'),
  });
  expect((await run('--no-such-flag')).code).toBe(2);
  expect((await runUnderstudy(['e2e', '--stage', 'sim', 'gemini'], { cwd })).code).toBe(2);
  // Our own loop is not what the user wants to know about.
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no orchestrator to test') });
  const occupied = loopWorkspace({ '.e2e-tests': 'a file, not a folder' });
  expect(
    await runUnderstudy(['e2e', '--stage', 'sim', 'kiro', '--loop', '--grep', 'connect'], { cwd: occupied }),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SUITE_NO_WORKSPACE'),
  });
});

it('11: cases run side by side', { timeout: 120_000 }, async () => {
  // Three orchestrators, of which none ends before all three are there.
  const ralph =
    'touch ../../here-$$\nfor i in $(seq 600); do [ $(ls ../.. | grep -c ^here-) -ge 3 ] && exit 0; sleep 0.1; done\nexit 7';
  const cwd = loopWorkspace({ ralph: fakeRalph(ralph) });
  mkdirSync(join(cwd, '.e2e-tests'));
  const { run } = await runSuiteIn(cwd, ['all', '--grep', 'connect', '--workers', '3']);
  expect(run.entries.map(({ context }) => context?.exit_code)).toEqual([0, 0, 0]);
});
