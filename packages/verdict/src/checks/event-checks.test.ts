import type { ConversationEvent, EventBody } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { expect, it } from 'vitest';
import { checkBudget } from './budget.js';
import { checkCommandExpanded } from './command-expanded.js';
import { checkCommits } from './commits.js';
import { checkFile } from './files-changed.js';
import { checkHook } from './hooks-fired.js';
import { checkJsonOutput } from './json-output.js';
import { checkLeftovers } from './leftovers.js';
import { checkSkills, checkSubagents } from './names-used.js';
import type { Observed } from './observed.js';
import { checkOutcome } from './outcome.js';
import { checkPermission } from './permission.js';
import { checkMcpServerUp, checkPluginsClean } from './plugins-loaded.js';
import { hasPassed } from './result.js';
import { checkSays } from './says.js';
import { checkToolsUsed } from './tools-used.js';

function observe(...bodies: EventBody[]): Observed {
  const turn = bodies.map(
    (body, seq) => ({ seq, at: '2026-01-01T00:00:00.000Z', turn: 1, ...body }) as ConversationEvent,
  );
  return { turn, all: turn };
}

const says = (text: string): EventBody => ({ type: 'text', text });
const ended = (more: Partial<EventBody & { type: 'turn_ended' }> = {}): EventBody => ({
  type: 'turn_ended',
  outcome: 'completed',
  milliseconds: 1,
  ...more,
});
let calls = 0;
function call(
  tool: string,
  input: Record<string, unknown> = {},
  status: 'ok' | 'error' | 'denied' | 'blocked' = 'ok',
): EventBody[] {
  const id = `call-${calls++}`;
  return [
    { type: 'tool_call', id, tool, input },
    { type: 'tool_result', id, tool, text: '', status },
  ];
}

it('outcome: passes for the outcome that is expected, and for no other', () => {
  expect(checkOutcome(observe(ended()), {}).status).toBe('passed');
  expect(checkOutcome(observe(ended({ outcome: 'failed', reason: 'api_error', message: '401' })), {})).toMatchObject({
    status: 'failed',
    actual: 'failed (api_error)',
    suggestion: '401',
  });
  expect(
    checkOutcome(observe(ended({ outcome: 'failed', reason: 'api_error' })), { outcome: 'failed', reason: 'api_error' })
      .status,
  ).toBe('passed');
  expect(
    checkOutcome(observe(ended({ outcome: 'failed', reason: 'other' })), { outcome: 'failed', reason: 'api_error' })
      .status,
  ).toBe('failed');
});

it('outcome: a turn that never ended is not completed', () => {
  expect(checkOutcome(observe(says('done')), {})).toMatchObject({ status: 'failed', actual: 'the turn never ended' });
});

it('outcome: says what an unknown command was near to', () => {
  const unknown: EventBody = {
    type: 'command',
    typed: '/plam',
    name: 'plam',
    args: '',
    status: 'unknown',
    similar: ['agent-loop:plan'],
  };
  expect(checkOutcome(observe(unknown, ended({ outcome: 'failed' })), {}).suggestion).toContain('/agent-loop:plan');
  const ofFolder = { ...unknown, typed: '/folder:plan', name: 'folder:plan' };
  expect(checkOutcome(observe(ofFolder, ended({ outcome: 'failed' })), {}).suggestion).toBe(
    'Type /agent-loop:plan: before the colon stands the "name" of plugin.json, not the folder.',
  );
});

it('says: holds the text of the main agent against a pattern', () => {
  const seen = observe(says('All green.'), { type: 'text', text: 'red', parent: 'x' });
  expect(checkSays(seen, { type: 'contains', text: 'green' }).status).toBe('passed');
  expect(checkSays(seen, { type: 'contains', text: 'red' }).status, 'a subagent said it').toBe('failed');
  expect(checkSays(seen, { type: 'contains', text: 'green' }, { not: true }).status).toBe('failed');
  expect(checkSays(observe(), { type: 'contains', text: 'x' })).toMatchObject({
    status: 'failed',
    actual: 'nothing was said',
  });
});

it('tools: any, all, none and order each fail on a near miss', () => {
  const seen = observe(...call('Glob'), ...call('Read'), ...call('mcp__browser-tools__screenshot'));
  const passed = (expected: Parameters<typeof checkToolsUsed>[1]) => checkToolsUsed(seen, expected).map(hasPassed);
  expect(
    passed({ any: ['Write', 'Read'], all: ['Glob', 'screenshot'], none: ['Bash'], order: ['Glob', 'screenshot'] }),
  ).toEqual([true, true, true, true]);
  expect(passed({ any: ['Write', 'Rea'], all: ['Glob', 'Grep'], none: ['Read'], order: ['Read', 'Glob'] })).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(checkToolsUsed(observe(), { any: ['Read'] })).toMatchObject([
    { status: 'failed', actual: 'no tool was used' },
  ]);
});

it('tools: a call must have the inputs and the end that are asked', () => {
  const seen = observe(
    ...call('Bash', { command: 'git commit -m "fix: x"', timeout: 5 }),
    ...call('Write', { file_path: 'a' }, 'blocked'),
  );
  const passed = (tool: string, input?: Record<string, unknown>, status?: 'ok' | 'blocked') =>
    checkToolsUsed(seen, { calls: [{ tool, input, status }] }).every(hasPassed);
  expect(passed('Bash', { command: { type: 'contains', text: 'git commit' } }, 'ok')).toBe(true);
  expect(passed('Bash', { timeout: 5 })).toBe(true);
  expect(passed('Bash', { timeout: '5' })).toBe(false);
  expect(passed('Bash', { command: { type: 'exact', text: 'git commit' } })).toBe(false);
  expect(passed('Write', { file_path: 'a' }, 'ok')).toBe(false);
  expect(passed('Write', { file_path: 'a' }, 'blocked')).toBe(true);
});

it('tools: shows how calls ended where an end is expected, and what to change', () => {
  const seen = observe(...call('Bash', { command: 'ls' }, 'denied'), ...call('Read', { f: 1 }));
  const of = (tool: string, input?: Record<string, unknown>, status?: 'ok' | 'blocked') =>
    checkToolsUsed(seen, { calls: [{ tool, input, status }] })[0];
  expect(of('Bash', undefined, 'blocked')).toMatchObject({
    expected: 'Bash → blocked',
    actual: 'Bash → denied, Read → ok',
    suggestion:
      'Find out why the call was denied and not blocked (a permission rule, the mode or the user did not allow it), ' +
      'or expect `status = "denied"`.',
  });
  expect(of('Bash', { command: 'pwd' })?.suggestion).toMatch(/^Expect the input with which Bash was called/);
  expect(of('Write')?.suggestion).toBe('Let the script call Write, or expect a tool that was used.');
  expect(checkToolsUsed(seen, { all: ['Write'] })[0]?.suggestion).toMatch(/^Let the script call Write, or take it out/);
});

it('says one commit, one model turn and one time in the singular', () => {
  expect(checkCommits(observe(), { count: 1 }).expected).toBe('1 commit');
  expect(checkCommits(observe(), { count: 2 }).expected).toBe('2 commits');
  const spent = observe(ended({ usage: { inputTokens: 10, outputTokens: 5 }, modelTurns: 2 }));
  expect(checkBudget(spent, { max_model_turns: 1 })[0]?.expected).toBe('at most 1 model turn');
  expect(checkToolsUsed(observe(), { max_repeats: 1 })[0]?.expected).toBe('no call more than 1 time');
});

it('tools: counts the same call, not the same tool', () => {
  const seen = observe(...call('Read', { f: 1 }), ...call('Read', { f: 2 }), ...call('Read', { f: 2 }));
  expect(checkToolsUsed(seen, { max_repeats: 2 })[0]?.status).toBe('passed');
  expect(checkToolsUsed(seen, { max_repeats: 1 })[0]).toMatchObject({
    status: 'failed',
    suggestion: 'Find out why Read {"f":2} was made 2 times, or raise `max_repeats`.',
  });
});

it('skills: called by the model or typed by the user, and really launched', () => {
  const session: EventBody = { type: 'session', agent: 'claude', stage: 'sim', cwd: '/', skills: ['p:greet', 'p:bye'] };
  const typed: EventBody = { type: 'command', typed: '/bye', name: 'p:bye', args: '', status: 'expanded' };
  const command: EventBody = { ...typed, typed: '/plan', name: 'p:plan' };
  const seen = observe(session, typed, command, ...call('Skill', { skill: 'p:greet' }));
  const status = (expected: Parameters<typeof checkSkills>[1]) => checkSkills(seen, expected)[0]?.status;
  expect(status({ all: ['greet', 'p:bye'] })).toBe('passed');
  expect(status({ all: ['plan'] })).toBe('failed');
  expect(status({ none: ['greet'] })).toBe('failed');
  expect(status({ any: ['other:greet'] })).toBe('failed');
  const blocked = observe(session, ...call('Skill', { skill: 'p:greet' }, 'error'));
  expect(checkSkills(blocked, { all: ['greet'] })).toMatchObject([
    { status: 'failed', actual: 'no skills were used', evidence: ['the agent has: p:greet, p:bye'] },
  ]);
});

it('subagents: those that started', () => {
  const seen = observe({ type: 'subagent_started', id: '1', agent: 'p:reviewer', background: false });
  expect(checkSubagents(seen, { all: ['reviewer'], none: ['Explore'] }).every(hasPassed)).toBe(true);
  expect(checkSubagents(seen, { all: ['reviewer', 'Explore'] })).toMatchObject([
    { status: 'failed', actual: 'p:reviewer' },
  ]);
});

it('commands: an expansion is what the model got, not what the user typed', () => {
  const command: EventBody = {
    type: 'command',
    typed: '/explore',
    name: 'loop:explore',
    args: 'db',
    status: 'expanded',
  };
  const seen = observe(command, { type: 'expansion', name: 'loop:explore', text: 'Investigate db' });
  expect(
    checkCommandExpanded(seen, { name: '/explore', expands_to: { type: 'contains', text: 'Investigate' } }).status,
  ).toBe('passed');
  expect(checkCommandExpanded(seen, { name: 'plan' }).status).toBe('failed');
  expect(checkCommandExpanded(seen, { expands_to: { type: 'contains', text: '/explore' } }).status).toBe('failed');
  expect(checkCommandExpanded(observe(command), {}).status, 'no expansion was seen').toBe('failed');
  expect(checkCommandExpanded(observe(), {}).status).toBe('failed');
});

it('permissions: asked, decided and not asked', () => {
  const seen = observe({ type: 'permission', tool: 'Bash', input: {}, decision: 'deny' });
  expect(checkPermission(seen, { tool: 'Bash', decision: 'deny' }).status).toBe('passed');
  expect(checkPermission(seen, { tool: 'Bash', decision: 'allow' }).status).toBe('failed');
  expect(checkPermission(seen, { tool: 'Write' }).status).toBe('failed');
  expect(checkPermission(seen, { tool: 'Bash', asked: false }).status).toBe('failed');
  expect(checkPermission(seen, { tool: 'Write', asked: false }).status).toBe('passed');
});

it('plugins: clean means told, there, and without errors', () => {
  const session = (more: object): EventBody => ({
    type: 'session',
    agent: 'claude',
    stage: 'scripted',
    cwd: '/',
    ...more,
  });
  const fine = observe(
    session({ plugins: [{ name: 'loop' }], mcpServers: [{ name: 'plugin:loop:web', status: 'connected' }] }),
  );
  expect(checkPluginsClean(fine, ['loop']).status).toBe('passed');
  expect(checkPluginsClean(fine, ['other'])).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('missing: other'),
  });
  expect(checkPluginsClean(observe(session({}))).status, 'not reported').toBe('unjudged');
  expect(
    checkPluginsClean(
      observe(session({ plugins: [{ name: 'loop' }], pluginErrors: [{ plugin: 'loop', message: 'bad hook' }] })),
      ['loop'],
    ).status,
  ).toBe('failed');
  expect(checkMcpServerUp(fine, 'web').status).toBe('passed');
  expect(checkMcpServerUp(fine, 'db').status).toBe('failed');
  expect(checkMcpServerUp(observe(session({ mcpServers: [{ name: 'web', status: 'failed' }] })), 'web')).toMatchObject({
    status: 'failed',
    actual: 'web is failed',
  });
});

it('files: changed how, and to what', () => {
  const seen = observe(
    { type: 'file_changed', path: 'a.css', change: 'modified', before: 'x', after: 'padding: 24px' },
    { type: 'file_changed', path: 'big.bin', change: 'created' },
  );
  expect(checkFile(seen, { path: 'a.css', contains: { type: 'contains', text: '24px' } }).status).toBe('passed');
  expect(checkFile(seen, { path: 'a.css', contains: { type: 'contains', text: '32px' } }).status).toBe('failed');
  expect(checkFile(seen, { path: 'a.css', change: 'created' }).status).toBe('failed');
  expect(checkFile(seen, { path: 'a.css', change: 'unchanged' }).status).toBe('failed');
  expect(checkFile(seen, { path: 'b.css', change: 'unchanged' }).status).toBe('passed');
  const linked = observe({ type: 'file_changed', path: 'link', change: 'created', after: 'src' });
  expect(checkFile(linked, { path: 'link/a.css', change: 'unchanged' }).status).toBe('unjudged');
  expect(checkFile(linked, { path: 'link', change: 'created' }).status).toBe('passed');
  expect(checkFile(seen, { path: 'b.css' }).status).toBe('failed');
  const expected = (contains: { type: 'contains'; text: string } | { type: 'glob'; pattern: string }) =>
    checkFile(seen, { path: 'a.css', change: 'created', contains }).expected;
  expect(expected({ type: 'contains', text: '32px' })).toBe('a.css is created and contains "32px"');
  expect(expected({ type: 'glob', pattern: '*px' })).toBe('a.css is created and its content is glob "*px"');
  expect(checkFile(seen, { path: 'big.bin', contains: { type: 'any' } }).status, 'content that was not kept').toBe(
    'unjudged',
  );
});

it('commits: one commit must be all that is asked', () => {
  const commit = (message: string, ...files: string[]): EventBody => ({
    type: 'commit',
    hash: 'abcdef0123',
    message,
    files,
  });
  const seen = observe(commit('test: add auth tests', 'test_a.py'), commit('WIP', 'a.py'));
  expect(
    checkCommits(seen, { message: { type: 'contains', text: 'test:' }, conventional: true, files: ['test_a.py'] })
      .status,
  ).toBe('passed');
  expect(checkCommits(seen, { conventional: true, files: ['a.py'] }).status, 'two commits, each half right').toBe(
    'failed',
  );
  expect(checkCommits(seen, { count: 1 }).status).toBe('failed');
  expect(checkCommits(seen, { count: 0 }).status).toBe('failed');
  expect(checkCommits(observe(), { count: 0 }).status).toBe('passed');
  expect(checkCommits(observe(), {}).status).toBe('failed');
  for (const near of ['feature: x', 'fix x', 'fix:x', 'Fix: x', 'fix(): x']) {
    expect(checkCommits(observe(commit(near)), { conventional: true }).status, near).toBe('failed');
  }
});

it('budget: a number that was not told is no pass', () => {
  const seen = observe(ended({ usage: { inputTokens: 10, outputTokens: 5 }, modelTurns: 2 }));
  const passed = (budget: Parameters<typeof checkBudget>[1]) => checkBudget(seen, budget).map(({ status }) => status);
  expect(passed({ max_input_tokens: 10, max_output_tokens: 5, max_model_turns: 2 })).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
  expect(passed({ max_input_tokens: 9, max_output_tokens: 4, max_model_turns: 1 })).toEqual([
    'failed',
    'failed',
    'failed',
  ]);
  expect(passed({ max_cost_usd: 1 }), 'not reported').toEqual(['unjudged']);
});

it('JSON output: is JSON, and has the shape', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  expect(checkJsonOutput(observe(says('{"n": 1}')), schema).status).toBe('passed');
  expect(checkJsonOutput(observe(says('```json\n{"n": 1}\n```')), schema).status).toBe('passed');
  expect(checkJsonOutput(observe(says('Here: {"n": 1}')), schema)).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('not JSON'),
  });
  expect(checkJsonOutput(observe(says('{"n": "1"}')), schema)).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('/n must be number'),
  });
});

const session = (agent: string, reports: ('tools' | 'hooks')[]): EventBody => ({
  type: 'session',
  ...{ agent, stage: 'sim', cwd: '/', reports },
});

it('judges nothing that the agent does not report, whatever is asked', () => {
  const kiro = observe(session('kiro', []), says('I ran the shell.'), ended());
  const results = [
    ...checkToolsUsed(kiro, { none: ['Bash'], any: ['Bash'] }),
    checkHook(kiro, { event: 'PreToolUse', fired: false }),
    checkPermission(kiro, { tool: 'Bash', asked: false }),
    checkPluginsClean(kiro),
    checkMcpServerUp(kiro, 'web'),
    checkCommandExpanded(kiro, {}),
  ];
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['unjudged']));
  expect(results[0]?.actual).toBe('kiro does not report the tools that it uses');
  const codex = observe(session('codex', ['tools']), ...call('exec_command', { cmd: 'ls' }), ended());
  expect(checkToolsUsed(codex, { none: ['Bash'] })).toMatchObject([{ status: 'failed' }]);
  expect(checkHook(codex, { event: 'PreToolUse', fired: false }).status).toBe('unjudged');
});

it('tools: a generic name, and the name of any agent, names the same tool', () => {
  const seen = observe(...call('exec_command', { cmd: 'ls -l' }), ...call('Agent', { prompt: 'look' }));
  for (const name of ['shell', 'Bash', 'bash', 'run_shell_command', 'Task', 'Agent']) {
    expect(checkToolsUsed(seen, { all: [name] })[0]?.status, name).toBe('passed');
    expect(checkToolsUsed(seen, { none: [name] })[0]?.status, name).toBe('failed');
  }
  expect(checkToolsUsed(seen, { all: ['Read'] })[0]?.status).toBe('failed');
  const command = { type: 'contains', text: 'ls' };
  expect(checkToolsUsed(seen, { calls: [{ tool: 'Bash', input: { command } }] })[0]?.status).toBe('passed');
  expect(checkToolsUsed(seen, { calls: [{ tool: 'Bash', input: { command: 'ls' } }] })[0]?.status).toBe('failed');
});

it('tells which processes an agent left running', () => {
  const exit = (more: object): Observed =>
    observe({ type: 'process_ended', code: 0, signal: null, unexpected: false, ...more });
  expect(checkLeftovers(exit({ leftovers: [] }), 'none').status).toBe('passed');
  expect(checkLeftovers(exit({ leftovers: ['sleep 60 (7)'] }), 'none')).toMatchObject({
    ...{ status: 'failed', actual: 'sleep 60 (7)' },
  });
  expect(checkLeftovers(exit({ leftovers: ['sleep 60 (7)'] }), ['sleep']).status).toBe('passed');
  expect(checkLeftovers(exit({ leftovers: [] }), ['sleep']).status).toBe('failed');
  expect(checkLeftovers(exit({ killedBy: 'deadline' }), 'none').status).toBe('unjudged');
  expect(checkLeftovers(observe(ended()), 'none').status).toBe('unjudged');
});

it('says why a server did not come up', () => {
  const session = (error?: string): EventBody => ({
    ...{ type: 'session', agent: 'claude', stage: 'sim', cwd: '/w' },
    mcpServers: [{ name: 'plugin:p:db', status: 'failed', ...defined({ error }) }],
  });
  // The CLI repeats the status without the reason in each turn.
  const seen = observe(session('Connection closed: no database'), session());
  expect(checkMcpServerUp(seen, 'db')).toMatchObject({
    ...{ status: 'failed', actual: 'db is failed: Connection closed: no database' },
  });
});
