import { expect, it } from 'vitest';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** The result of a rehearsal of this text on the stand-in. */
async function rehearsed(text: string): Promise<RunResult> {
  const cwd = loopWorkspace({ 'a.rehearsal.toml': text });
  const { stdout, stderr } = await runUnderstudy(['run', '--stage', 'sim', '--json'], { cwd });
  if (stdout === '') throw new Error(stderr);
  return runResultSchema.parse(JSON.parse(stdout));
}

const HELLO = `[[responses]]\npattern = { type = "contains", text = "hello" }\nresponse = "Hello."\n`;
const SAY_HELLO = '[[steps]]\nsend = "hello"\n';

it.each([
  ['UnknownCommand', `${HELLO}[[steps]]\nsend = "/no-such-command"\n`],
  ['RequestUnanswered', `${HELLO}${SAY_HELLO}[[steps]]\nsend = "goodbye"\n`],
  [
    'RuleUnused',
    `${HELLO}[[responses]]\npattern = { type = "contains", text = "bye" }\nresponse = "Bye."\n${SAY_HELLO}`,
  ],
  ['ToolNotUsed', `${HELLO}${SAY_HELLO}expect = { tools = { any = ["Glob"] } }\n`],
  ['HookMismatch', `${HELLO}${SAY_HELLO}expect = { hooks = [{ event = "PreToolUse" }] }\n`],
  ['ChangeMissing', `project = { git = true }\n${HELLO}${SAY_HELLO}expect = { files = [{ path = "a.txt" }] }\n`],
  ['ChangeMissing', `project = { git = true }\n${HELLO}${SAY_HELLO}expect = { commits = {} }\n`],
  [
    'WorkflowStuck',
    `workflow = "agent-loop"\n${HELLO}${SAY_HELLO}expect = { workflow = { from = "idle", to = "exploring" } }\n`,
  ],
  ['AssertionMismatch', `${HELLO}${SAY_HELLO}expect = { says = "Good morning" }\n`],
])('diagnoses a failed rehearsal: %s', async (type, text) => {
  const run = await rehearsed(text);
  expect(run.entries.map(({ status, diagnosis }) => [status, diagnosis?.failure_type])).toEqual([['failed', type]]);
  expect(run.entries[0]?.diagnosis?.evidence.length).toBeGreaterThan(0);
  expect(run.recommendations?.[0]).toMatchObject({ severity: 'Critical', affected_tests: [run.entries[0]?.id] });
});

it('diagnoses nothing where nothing failed', async () => {
  const run = await rehearsed(`${HELLO}${SAY_HELLO}expect = { says = "Hello" }\n`);
  expect(run).toMatchObject({ passed: true });
  expect(run.entries[0]).not.toHaveProperty('diagnosis');
  expect(run).not.toHaveProperty('recommendations');
});

it('prints the diagnosis with the failure', async () => {
  const cwd = loopWorkspace({ 'a.rehearsal.toml': `${HELLO}[[steps]]\nsend = "/no-such-command"\n` });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('diagnosis UnknownCommand: The agent does not have the command /no-such-command.');
});
