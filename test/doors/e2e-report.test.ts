import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentPrompt } from '../../packages/verdict/src/reporters/markdown/agent-prompt.js';
import { readReport } from '../../packages/verdict/src/reporters/markdown/read-markdown.js';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { type RunResult as Outcome, runProgram, runUnderstudy } from '../helpers/understudy.js';

/** One that looks like a key, and one that only its variable betrays. */
const SECRETS = { ANTHROPIC_API_KEY: 'sk-ant-something-that-nobody-may-read', MY_SERVICE_TOKEN: 'open sesame, please' };

/** An orchestrator that answers to --version, prints what it should not, says something awkward, and fails. */
const BROKEN = `#!/bin/sh
[ "$1" = --version ] && echo ralph 9.9.9 && exit
echo 'my key is ${SECRETS.ANTHROPIC_API_KEY}, my token is ${SECRETS.MY_SERVICE_TOKEN}'
echo '| </details>' >&2
echo '### ❌ \`made-up@claude\`' >&2
echo 'thread main panicked: no agent for me' >&2
exit 3
`;

interface Reported {
  cwd: string;
  result: Outcome;
  markdown: string;
  /** The files beside it. */
  contexts: string[];
  run: RunResult;
}

async function runBroken(...args: string[]): Promise<Reported> {
  const cwd = loopWorkspace({ ralph: BROKEN });
  const options = ['--ralph', './ralph', '--report', 'both', '--skip-analysis', '--skip-baselines', ...args];
  const result = await runUnderstudy(['e2e', '--stage', 'sim', ...options], { cwd, env: SECRETS });
  const read = (name: string) => readFileSync(join(cwd, '.e2e-tests', name), 'utf8');
  const contexts = readdirSync(join(cwd, '.e2e-tests/report-contexts')).map((name) => read(`report-contexts/${name}`));
  const markdown = read('report.md');
  return { cwd, result, markdown, contexts, run: runResultSchema.parse(JSON.parse(read('report.json'))) };
}

it('reports every failure with its evidence, for a parser to read', async () => {
  const { result, markdown, run } = await runBroken('claude', '--grep', 'hat-single');
  expect(result.code, result.stderr).toBe(1);
  const { passed, failures } = readReport(markdown);
  expect(passed).toBe(false);
  expect(failures.map(({ id, agent }) => ({ id, agent }))).toEqual([{ id: 'hat-single@claude', agent: 'claude' }]);
  expect(failures[0]).toMatchObject({
    failureType: 'UnexpectedTermination',
    checks: expect.arrayContaining([expect.objectContaining({ name: 'exit code 0', expected: '0', actual: '3' })]),
    evidence: expect.arrayContaining([expect.stringContaining('thread main panicked: no agent for me')]),
  });
  // Both reports tell the same; the failed checks, which are evidence too, are in a table of their own.
  const [told] = run.entries;
  expect(told?.diagnosis?.evidence).toEqual(expect.arrayContaining(failures[0]?.evidence ?? ['nothing was read']));
  expect(failures[0]?.hypothesis).toBe(told?.diagnosis?.root_cause_hypothesis);
  expect(run).toMatchObject({ passed: false, exit_code: 1, orchestrator: { kind: 'ralph', version: '9.9.9' } });
});

it('has the same failures in both reports, similar ones named, on every backend', async () => {
  const { markdown, run } = await runBroken('all', '--grep', 'completion@');
  const { failures } = readReport(markdown);
  expect(failures.map(({ id }) => id)).toEqual(['completion@claude', 'completion@kiro', 'completion@opencode']);
  expect(failures[0]?.similarFailures).toEqual(['completion@kiro', 'completion@opencode']);
  expect(run.recommendations?.[0]).toMatchObject({
    severity: 'Critical',
    affected_tests: failures.map(({ id }) => id),
  });
});

it('tells no secret, though the orchestrator prints it', async () => {
  const { markdown, contexts, run } = await runBroken('claude', '--grep', 'connect@claude');
  const json = JSON.stringify(run);
  expect(run.entries[0]?.context?.stdout).toBe('my key is [secret], my token is [secret]');
  expect(contexts.join()).toContain('my key is [secret], my token is [secret]');
  for (const secret of Object.values(SECRETS)) {
    expect(`${markdown}${contexts.join()}`).not.toContain(secret);
    expect(json).not.toContain(secret);
  }
  expect(run.environment.env_vars).toMatchObject({ ANTHROPIC_API_KEY: true, KIRO_API_KEY: false });
});

it('gives commands that work as they stand', async () => {
  const { cwd, run } = await runBroken('claude', '--grep', 'connect@claude');
  const [first] = run.quick_fix_commands ?? [];
  const command = first?.command.replace(
    /^understudy /,
    `'${process.execPath}' '${join(process.cwd(), 'dist/bin/understudy.js')}' `,
  );
  const { code, stdout } = await runProgram(['/bin/sh', '-c', `${command} --skip-analysis`], { cwd });
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(/connect@claude[\s\S]*^1 failed in /m);
  // Only the orchestrator, by hand: nothing of the own environment is needed, and nothing of it is used.
  const alone = run.entries[0]?.context?.run_again ?? '';
  const again = await runProgram(['/bin/sh', '-c', alone], { cwd: '/', env: SECRETS });
  expect(again.code, again.stderr).toBe(3);
  expect(again.stderr).toContain('thread main panicked');
});

/** An agent that reads the report, and can only name what it has read there. */
const READER = {
  responses: [
    {
      pattern: { type: 'contains', text: 'Read the Understudy report' },
      response: {
        tool_calls: [{ tool: 'Read', input: { file_path: '{{report}}' } }],
        then: [
          {
            expect: {
              type: 'regex',
              pattern: '### ❌ `(hat-[a-z-]+@claude)`[\\s\\S]*\\*\\*Failure type:\\*\\* (\\w+)',
            },
            response: 'The case {{1}} failed: {{2}}.',
          },
          { response: 'Nothing failed.' },
        ],
      },
    },
  ],
  tool_execution: { mode: 'live' },
};

/** What an agent answers that is told to take up the report. */
async function takeUp(cwd: string): Promise<string> {
  const report = join(cwd, '.e2e-tests/report.md');
  const scenario = JSON.stringify(READER).replace('{{report}}', report);
  const files = loopWorkspace({ 'scenario.json': scenario });
  const { code, stdout, stderr } = await runProgram(
    [
      process.execPath,
      STAND_IN,
      '-p',
      agentPrompt(report),
      '--allowedTools',
      'Read',
      '--add-dir',
      join(cwd, '.e2e-tests'),
    ],
    { cwd, env: { HOME: files, UNDERSTUDY_SCENARIO: join(files, 'scenario.json') } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

it('is taken up by an agent, which finds the failing case in it', async () => {
  const { cwd } = await runBroken('claude', '--grep', 'hat-single');
  expect(await takeUp(cwd)).toBe('The case hat-single@claude failed: UnexpectedTermination.');
});

it('is taken up by an agent, which finds nothing where nothing failed', async () => {
  const cwd = loopWorkspace({});
  const args = [
    'e2e',
    '--stage',
    'sim',
    'claude',
    '--loop',
    '--grep',
    'hat-single',
    '--skip-analysis',
    '--skip-baselines',
  ];
  const { code, stdout } = await runUnderstudy(args, { cwd });
  expect(code, stdout).toBe(0);
  expect(await takeUp(cwd)).toBe('Nothing failed.');
});
