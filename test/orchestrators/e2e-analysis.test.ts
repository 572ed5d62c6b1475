import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { ANALYZER, diagnosis, publishing } from '../helpers/analyzer.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { type RunResult as Outcome, runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const EXAMPLE = resolve('examples/analyzer/analyzer.yml');

const CONNECT = ['e2e', '--stage', 'sim', 'kiro', '--grep', 'connect@kiro', '--skip-baselines', '--report', 'json'];
const KIRO_CONNECT = [...CONNECT, '--loop'];

function readReport(cwd: string): RunResult {
  return JSON.parse(readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8')) as RunResult;
}

it('runs the example as its README says', async () => {
  const readme = readFileSync('examples/analyzer/README.md', 'utf8');
  const [, line = ''] = /^npx agent-understudy (.*)$/m.exec(readme) ?? [];
  const cwd = loopWorkspace({});
  const args = line.split(' ').map((word) => (word.endsWith('analyzer.yml') ? resolve(word) : word));
  expect(args).toContain(EXAMPLE);
  expect((await runUnderstudy(args, { cwd })).code).toBe(0);
  const { entries, loopholes = [], patterns = [], recommendations = [], analysis, passed } = readReport(cwd);
  expect(analysis).toEqual({
    status: 'merged',
    detail: '3 parts of the answer merged',
    problems: ['patterns[0]: there is no test "gemini-connect"; the entry is left out'],
  });
  expect(entries[0]?.quality).toMatchObject({ quality_score: 'Acceptable', source: 'agent' });
  expect(entries[0]?.quality?.warnings.map(({ message }) => message)).toContain('A greeting is enough to pass.');
  expect(loopholes.map(({ title }) => title)).toContain('A canned greeting');
  expect(recommendations.map(({ title }) => title)).toContain('Make connectivity prove something');
  expect(patterns.map(({ description }) => description)).not.toContain('Greetings everywhere.');
  expect(passed).toBe(true);
  expect(existsSync(join(cwd, '.e2e-tests/analysis'))).toBe(false);
  const markdown = readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8');
  expect(markdown).toContain('A canned greeting');
});

it('asks the real Claude Code on the stage scripted', { timeout: 400_000 }, async (context) => {
  await realAgent('claude', context);
  const answer = { passed_analyses: [{ test: 'connect@claude', quality_score: 'Suboptimal' }] };
  const scenario: ScenarioDocument = {
    default_response: 'Nothing to add.',
    responses: [
      {
        pattern: { type: 'contains', text: 'Event: analyze.request' },
        response: publishing(JSON.stringify(answer)).default_response ?? '',
      },
    ],
  };
  const cwd = loopWorkspace({ 'mine.yml': ANALYZER, 'mine.scenario.json': JSON.stringify(scenario) });
  const args = ['--stage', 'scripted', '--grep', 'connect@claude', '--skip-baselines', '--report', 'json'];
  const { code, stdout } = await runUnderstudy(
    ['e2e', '--stage', 'sim', 'claude', '--loop', ...args, '--analyzer', 'mine.yml'],
    { cwd },
  );
  expect(code, stdout).toBe(0);
  const { analysis, entries } = readReport(cwd);
  expect(analysis).toMatchObject({ status: 'merged', problems: [] });
  expect(entries[0]?.quality).toMatchObject({ quality_score: 'Suboptimal', source: 'agent' });
});

/** A loop that does nothing in the case connect@kiro, and is itself everywhere else. */
const FORGETFUL = `#!/bin/sh
[ "$1" = --version ] && echo "understudy loop 0.0.0" && exit 0
case "$PWD" in */connect@kiro) exit 0 ;; esac
exec "${process.execPath}" "${UNDERSTUDY}" orchestrator loop "$@"
`;

async function runForgetful(
  scenario: ScenarioDocument,
  ...args: string[]
): Promise<{ cwd: string; outcome: Outcome; result: RunResult }> {
  const cwd = loopWorkspace({
    forgetful: FORGETFUL,
    'mine.yml': ANALYZER,
    'mine.scenario.json': JSON.stringify(scenario),
  });
  const outcome = await runUnderstudy([...CONNECT, '--ralph', './forgetful', '--analyzer', 'mine.yml', ...args], {
    cwd,
  });
  return { cwd, outcome, result: readReport(cwd) };
}

it('explains a failed case, and the case stays failed', async () => {
  const { cwd, outcome, result } = await runForgetful(
    publishing(JSON.stringify({ failed_analyses: [{ ...diagnosis, test: 'connect@kiro' }] })),
  );
  expect(result.analysis).toMatchObject({ status: 'merged', problems: [] });
  expect(result.entries[0]?.diagnosis).toMatchObject({
    failure_type: 'PromptIneffective',
    root_cause_hypothesis: 'The hat was never asked.',
    source: 'agent',
  });
  expect(result).toMatchObject({ passed: false, exit_code: 1, counts: { failed: 1, passed: 0 } });
  expect(outcome.code).toBe(1);
  expect(existsSync(join(cwd, '.e2e-tests/analysis'))).toBe(false);
});

it('keeps verdict and exit code when the answer says that all is well', async () => {
  const { cwd, outcome, result } = await runForgetful(
    publishing(
      JSON.stringify({
        ...{ passed: true, exit_code: 0, verdict: 'all passed', results: [] },
        failed_analyses: [],
        passed_analyses: [{ test: 'connect@kiro', quality_score: 'Optimal', status: 'passed' }],
      }),
    ),
  );
  expect(outcome.code).toBe(1);
  expect(result).toMatchObject({ passed: false, exit_code: 1, counts: { failed: 1, passed: 0 } });
  expect(result.entries[0]).toMatchObject({ status: 'failed', diagnosis: { source: 'rules' } });
  expect(result.analysis).toMatchObject({ status: 'failed', detail: 'nothing of the answer could be used' });
  expect(result.analysis?.problems).toEqual(
    expect.arrayContaining([
      '`exit_code` is not part of an answer; left out',
      'passed_analyses: connect@kiro is failed, not passed; left out',
    ]),
  );
  // What went wrong can be looked at.
  expect(existsSync(join(cwd, '.e2e-tests/analysis/PROMPT.md'))).toBe(true);
  expect(result.artifacts).toContainEqual({
    path: expect.stringMatching(/\.e2e-tests\/analysis$/),
    description: 'workspace of the analysis (failed)',
  });
});

it('asks nobody with --skip-analysis, and on sim nobody without a scenario', async () => {
  const cwd = loopWorkspace({ 'mine.yml': ANALYZER });
  expect((await runUnderstudy([...KIRO_CONNECT, '--skip-analysis', '--analyzer', EXAMPLE], { cwd })).code).toBe(0);
  expect(readReport(cwd).analysis).toMatchObject({ status: 'skipped', detail: '--skip-analysis' });
  expect((await runUnderstudy(KIRO_CONNECT, { cwd })).code).toBe(0);
  expect(readReport(cwd).analysis).toMatchObject({
    status: 'skipped',
    detail: expect.stringContaining('there is no real model on the stage sim'),
  });
  expect((await runUnderstudy([...KIRO_CONNECT, '--analyzer', 'mine.yml'], { cwd })).code).toBe(0);
  expect(readReport(cwd).analysis).toMatchObject({
    status: 'skipped',
    detail: expect.stringContaining('write mine.scenario.toml or mine.scenario.json'),
  });
});

it('refuses a wrong analyzer before anything is run', async () => {
  const cwd = loopWorkspace({ 'mine.yml': 'hats:\n  critic:\n    triggers: [go]\n' });
  const { code, stderr } = await runUnderstudy([...KIRO_CONNECT, '--analyzer', 'mine.yml'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('no hat publishes `analyze.complete`');
  expect(stderr).toContain('Add `publishes: [analyze.complete]` to a hat.');
  expect(stderr).toContain('mine.yml:1:1');
  expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
});
