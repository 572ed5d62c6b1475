import { expect, it } from 'vitest';
import { sampleCheck } from '../../../../test/helpers/sample-results.js';
import type { CheckResult, CheckSubject } from '../checks/result.js';
import type { EntryResult, StepResult } from '../results/entry-result.js';
import { diagnose } from './diagnose.js';

const check = (subject: CheckSubject, more: Partial<CheckResult> = {}): CheckResult =>
  sampleCheck('failed', { name: subject.kind, category: 'custom', subject, evidence: ['seen'], ...more });

const step = (parts: Partial<StepResult> = {}): StepResult => ({
  ...{ number: 1, send: '/explore the app', reached: true, said: 'Done.', outcome: 'completed', checks: [] },
  duration_ms: 5,
  ...parts,
});

/** The diagnosis of a rehearsal with these steps and checks. */
function diagnosed(steps: readonly StepResult[], checks: readonly CheckResult[] = []) {
  const entry: EntryResult = {
    ...{ id: 'a claude sim', kind: 'rehearsal', name: 'a', tags: [], agent: 'claude', stage: 'sim', round: 1 },
    ...{ status: 'failed', attempts: 1, duration_ms: 5, rerun: 'understudy run a' },
    steps: [...steps],
    checks: [...checks],
  };
  return diagnose(entry);
}

const ofCheck = (one: CheckResult) => diagnosed([step({ checks: [one] })]);
const TURN = check({ kind: 'turn' }, { suggestion: 'near it is /explore' });

it('UnknownCommand: the agent does not have the command', () => {
  const unknown = check({ kind: 'turn', unknown_command: '/explor' }, { suggestion: 'near it is /explore' });
  const turn = { send: '/explor the app', outcome: 'failed', reason: 'api_error' };
  const found = diagnosed([step({ ...turn, checks: [unknown] })], [check({ kind: 'request' })]);
  expect(found).toMatchObject({
    failure_type: 'UnknownCommand',
    root_cause_hypothesis: 'The agent does not have the command /explor.',
    potential_fixes: [{ description: 'near it is /explore' }, {}],
  });
  expect(found.evidence).toContain('step 1 sent "/explor the app"');
  // A test may expect just that.
  const expected = diagnosed(
    [step({ ...turn, checks: [{ ...unknown, status: 'passed' }] })],
    [check({ kind: 'commit' })],
  );
  expect(expected.failure_type).not.toBe('UnknownCommand');
});

it('PluginLoadError: a plugin or its server did not load', () => {
  const plugin = check({ kind: 'plugin', names: ['loop'] }, { evidence: ['loop: no hooks.json'] });
  const found = ofCheck(plugin);
  expect(found).toMatchObject({ failure_type: 'PluginLoadError' });
  expect(found.root_cause_hypothesis).toContain('the plugin loop');
  expect(found.evidence).toContain('loop: no hooks.json');
  expect(ofCheck(check({ kind: 'mcp_server', name: 'browser' })).root_cause_hypothesis).toContain(
    'the MCP server browser',
  );
  expect(ofCheck({ ...plugin, status: 'passed' }).failure_type).not.toBe('PluginLoadError');
});

it('HookMismatch: it did not fire, did something else, or blocked the prompt', () => {
  const hook = (present: boolean) => check({ kind: 'hook', event: 'PreToolUse', on: 'Bash' }, { present });
  expect(ofCheck(hook(false))).toMatchObject({
    failure_type: 'HookMismatch',
    root_cause_hypothesis: 'The hook PreToolUse:Bash did not fire.',
  });
  expect(ofCheck(hook(true)).root_cause_hypothesis).toContain('fired, and the test expects something else');
  const blocked = diagnosed([step({ outcome: 'failed', reason: 'blocked_by_hook', checks: [TURN] })]);
  expect(blocked.root_cause_hypothesis).toContain('A hook blocked the prompt of step 1');
  expect(ofCheck({ ...hook(false), status: 'passed' }).failure_type).toBe('Unknown');
});

it('ToolNotUsed: a tool was not used; a tool that must not be used is another matter', () => {
  const tool = (present: boolean) => check({ kind: 'tool', tools: ['Glob', 'Read'] }, { present });
  expect(ofCheck(tool(false))).toMatchObject({
    failure_type: 'ToolNotUsed',
    root_cause_hypothesis: 'The agent did not use all of the expected tools: Glob, Read.',
  });
  expect(ofCheck(tool(true)).failure_type).toBe('AssertionMismatch');
});

it('RequestUnanswered: before the failed turn that it leads to', () => {
  const request = check({ kind: 'request' }, { evidence: ['nothing answers "hello"'] });
  const failedTurn = step({ outcome: 'failed', reason: 'api_error', checks: [TURN] });
  const found = diagnosed([failedTurn], [request]);
  expect(found.failure_type).toBe('RequestUnanswered');
  expect(found.evidence).toContain('nothing answers "hello"');
  expect(diagnosed([failedTurn], [{ ...request, status: 'passed' }]).failure_type).toBe('BackendError');
});

it('RuleUnused: before the tool that the rule would have called', () => {
  const rule = check({ kind: 'rule', paths: ['responses[1]'] });
  const tool = check({ kind: 'tool', tools: ['Glob'] }, { present: false });
  const found = diagnosed([step({ checks: [tool] })], [rule]);
  expect(found).toMatchObject({ failure_type: 'RuleUnused' });
  expect(found.root_cause_hypothesis).toContain('responses[1] answered no prompt');
  expect(diagnosed([step({ checks: [tool] })], [{ ...rule, status: 'passed' }]).failure_type).toBe('ToolNotUsed');
});

it('UnexpectedTermination: a program that failed, before the rules that it left unused', () => {
  const rule = check({ kind: 'rule', paths: ['responses[1]'] });
  const exit = check({ kind: 'exit_code', code: 0 }, { actual: 'exit code 1', evidence: ['no such file: TASK.md'] });
  const ran = (calls: number) =>
    step({
      send: './loop.sh',
      run: {
        code: 1,
        signal: null,
        calls: Array.from({ length: calls }, (_, number) => ({ number: number + 1, agent: 'claude', prompt: 'go' })),
      },
      checks: [exit],
    });
  const found = diagnosed([ran(0)], [rule]);
  expect(found).toMatchObject({
    failure_type: 'UnexpectedTermination',
    root_cause_hypothesis: 'The program of step 1 did not end as expected: exit code 1, before it called an agent.',
    evidence: expect.arrayContaining(['no such file: TASK.md']),
  });
  expect(diagnosed([ran(2)], [rule]).root_cause_hypothesis).toContain('after 2 calls');
  expect(diagnosed([{ ...ran(1), checks: [{ ...exit, status: 'passed' }] }], [rule]).failure_type).toBe('RuleUnused');
  const service = check({ kind: 'service', names: ['codex'] });
  expect(diagnosed([{ ...ran(0), checks: [exit, service] }], [rule])).toMatchObject({
    failure_type: 'ConfigurationError',
    root_cause_hypothesis: expect.stringContaining('codex'),
  });
});

it('TimeoutExceeded: the turn did not end in time', () => {
  const found = diagnosed([step({ outcome: 'timed_out', reason: 'timed_out', checks: [TURN] })]);
  expect(found).toMatchObject({
    failure_type: 'TimeoutExceeded',
    root_cause_hypothesis: 'The turn of step 1 did not end in time.',
  });
  expect(diagnosed([step({ checks: [TURN] })]).failure_type).not.toBe('TimeoutExceeded');
});

it('BackendError: the agent died, its turn failed, or a step was never reached', () => {
  const unreached = step({ number: 2, reached: false });
  const died = diagnosed([step({ outcome: 'died', reason: 'died', checks: [TURN] }), unreached]);
  expect(died).toMatchObject({
    failure_type: 'BackendError',
    root_cause_hypothesis: 'The process of claude ended in the middle of step 1.',
  });
  expect(died.evidence).toContain('step 2 was not reached');
  expect(diagnosed([step(), unreached]).root_cause_hypothesis).toContain('ended before step 2');
  const refused = diagnosed([step({ outcome: 'failed', reason: 'api_error', checks: [TURN] })]);
  expect(refused.root_cause_hypothesis).toBe('The turn of step 1 ended as failed (api_error).');
  expect(diagnosed([step({ checks: [TURN] })]).failure_type).toBe('AssertionMismatch');
});

it('WorkflowStuck: the workflow did not move', () => {
  const workflow = check({ kind: 'workflow', from: 'idle', to: 'planning' }, { actual: 'it stayed in idle' });
  expect(ofCheck(workflow)).toMatchObject({
    failure_type: 'WorkflowStuck',
    root_cause_hypothesis: 'The workflow did not move to planning: it stayed in idle.',
  });
  expect(ofCheck({ ...workflow, status: 'passed' }).failure_type).toBe('Unknown');
});

it('ChangeMissing: a file was not changed, or no commit was made', () => {
  const file = (present: boolean) => check({ kind: 'file', path: 'src/a.ts' }, { present });
  const commit = (present: boolean) => check({ kind: 'commit' }, { present });
  const found = diagnosed([step({ checks: [file(false), commit(false)] })]);
  expect(found).toMatchObject({
    failure_type: 'ChangeMissing',
    root_cause_hypothesis: 'The work is not in the project: src/a.ts was not changed, no commit was made.',
  });
  // Only the suite of an orchestrator knows what such a file means to a loop.
  const memories = check({ kind: 'file', path: 'docs/memories.md' }, { present: false });
  expect(ofCheck(memories).failure_type).toBe('ChangeMissing');
  expect(ofCheck(file(true)).failure_type).toBe('AssertionMismatch');
  expect(ofCheck(commit(true)).failure_type).toBe('AssertionMismatch');
});

it('AssertionMismatch: nothing more is known, and the suggestions of the checks are the fixes', () => {
  const said = check({ kind: 'text', words: ['plan'] }, { suggestion: 'mention it' });
  expect(ofCheck(said)).toMatchObject({
    failure_type: 'AssertionMismatch',
    potential_fixes: [{ description: 'mention it' }],
  });
});

it('agrees with the first cause that the reports tell', () => {
  const hook = check({ kind: 'hook', event: 'PreToolUse' }, { present: false });
  const text = check({ kind: 'text', words: ['plan'] });
  // A hook of a later step says nothing about the first one.
  const later = step({ number: 2, checks: [hook] });
  expect(diagnosed([step({ checks: [text] }), later]).failure_type).toBe('AssertionMismatch');
  expect(diagnosed([step(), later]).failure_type).toBe('HookMismatch');
  // What follows from a request without an answer is not the cause of it.
  const ended = step({
    outcome: 'failed',
    checks: [{ ...TURN, evidence: ['API Error: 418 understudy: no rule'] }, hook],
  });
  expect(diagnosed([ended], [check({ kind: 'request' })]).failure_type).toBe('RequestUnanswered');
});

it('does not offer what the program printed as the fix, where it printed nothing', () => {
  const exit = check({ kind: 'exit_code', code: 0 }, { actual: 'exit code 1', evidence: [] });
  const ran = step({ send: './loop.sh', run: { code: 1, signal: null, calls: [] }, checks: [exit] });
  const [fix] = diagnosed([ran]).potential_fixes;
  expect(fix).toEqual({ description: 'Expect another `exit_code` if this is how it must end', confidence: 0.3 });
});
