import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import type { ObservedStep } from './define-check.js';
import { checkExpectations, type Expectation } from './expectation.js';

/** A step in which there is something to see for every expectation. */
const BODIES: EventBody[] = [
  {
    type: 'session',
    agent: 'claude',
    stage: 'sim',
    cwd: '/project',
    plugins: [{ name: 'sampler' }],
    mcpServers: [{ name: 'plugin:sampler:echo', status: 'connected' }],
  },
  { type: 'prompt', id: '1', text: '/explore the app' },
  { type: 'command', typed: '/explore', name: 'sampler:explore', args: 'the app', status: 'expanded' },
  { type: 'expansion', name: 'sampler:explore', text: 'Investigate the app.' },
  { type: 'tool_call', id: 'a', tool: 'Glob', input: { pattern: '*' } },
  { type: 'tool_result', id: 'a', tool: 'Glob', text: 'app.py', status: 'ok' },
  { type: 'permission', tool: 'Bash', input: {}, decision: 'allow' },
  {
    type: 'hook_finished',
    id: 'h',
    name: 'PreToolUse:Glob',
    event: 'PreToolUse',
    stdout: '',
    stderr: '',
    exitCode: 0,
    outcome: 'success',
    blocked: false,
  },
  { type: 'text', text: 'A systematic look failed: the padding is 32px. Please check it, then run /plan.' },
  { type: 'file_changed', path: 'a.txt', change: 'created', after: 'hi\n' },
  { type: 'commit', hash: 'abcdef1', message: 'feat: greet', files: ['a.txt'] },
  {
    type: 'turn_ended',
    outcome: 'completed',
    milliseconds: 1,
    modelTurns: 2,
    costUsd: 0.01,
    usage: { inputTokens: 10, outputTokens: 5 },
  },
];

function step(bodies: readonly EventBody[] = BODIES): ObservedStep {
  const events = bodies.map(
    (body, seq) => ({ seq, at: '2026-01-01T00:00:00.000Z', turn: 1, ...body }) as ConversationEvent,
  );
  const move = {
    from: 'idle',
    to: 'exploring',
    iteration: 1,
    trigger: '/explore',
    at: '',
    turn: 1,
    seq: 2,
    valid: true,
  };
  const workflow = {
    ...{ workflow: 'agent-loop', stage: 'exploring', label: 'exploring', iteration: 1, visits: [] },
    ...{ transitions: [move], invalid: [], actionsDone: [], actionsRemaining: [], finished: false },
  };
  return { turn: events, all: events, number: 1, workflow };
}

const failed = (expectation: Expectation) =>
  checkExpectations(step(), expectation)
    .filter(({ status }) => status !== 'passed')
    .map(({ name }) => name);

it('expects that the turn completed where nothing is said', () => {
  expect(checkExpectations(step())).toMatchObject([{ name: 'outcome', status: 'passed' }]);
  const died = BODIES.map((body) => (body.type === 'turn_ended' ? { ...body, outcome: 'died' as const } : body));
  expect(checkExpectations(step(died))).toMatchObject([{ name: 'outcome', status: 'failed', actual: 'died' }]);
});

/** Each expectation: one that holds, and one that nearly does. */
const PAIRS: readonly [string, Expectation, Expectation][] = [
  ['outcome', { outcome: 'completed' }, { outcome: 'failed' }],
  ['says', { says: 'systematic' }, { says: 'Systematic' }],
  ['does not say', { says_not: 'bicycle' }, { says_not: { type: 'regex', pattern: '32\\s*px' } }],
  ['keywords', { keywords: { any: ['looking'] } }, { keywords: { any: ['book'] } }],
  ['keywords', { keywords: { all: ['padding', 'look'] } }, { keywords: { all: ['padding', 'margin'] } }],
  ['keywords: none', { keywords: { none: ['margin'] } }, { keywords: { none: ['margin', 'padding'] } }],
  [
    'keywords',
    { keywords: { any: ['systematic'], case_sensitive: true } },
    { keywords: { any: ['SYSTEMATIC'], case_sensitive: true } },
  ],
  ['command-suggested', { suggests: ['/plan'] }, { suggests: ['/plan', '/planning'] }],
  ['specific-feedback', { feedback: {} }, { feedback: { min: 2 } }],
  ['workflow', { workflow: { from: 'idle', to: 'exploring' } }, { workflow: 'planning' }],
  ['tools: any', { tools: { any: ['Glob', 'Read'] } }, { tools: { any: ['Read'] } }],
  [
    'tools: calls',
    { tools: { calls: [{ tool: 'Glob', status: 'ok' }] } },
    { tools: { calls: [{ tool: 'Glob', status: 'error' }] } },
  ],
  ['command expanded', { command: { name: 'explore', expands_to: 'the app' } }, { command: { name: 'plan' } }],
  ['hook', { hooks: [{ event: 'PreToolUse', on: 'Glob' }] }, { hooks: [{ event: 'PreToolUse', blocked: true }] }],
  ['permission', { permissions: [{ tool: 'Bash' }] }, { permissions: [{ tool: 'Bash', decision: 'deny' }] }],
  ['plugins loaded', { plugins: 'clean' }, { plugins: ['sample'] }],
  ['MCP server up', { mcp_servers: ['echo'] }, { mcp_servers: ['ech'] }],
  ['file', { files: [{ path: 'a.txt', contains: 'hi' }] }, { files: [{ path: 'a.txt', contains: 'ho' }] }],
  ['commits', { commits: { message: 'feat', conventional: true } }, { commits: { count: 2 } }],
  ['budget', { budget: { max_model_turns: 2 } }, { budget: { max_model_turns: 1 } }],
];

it.each(PAIRS)('%s can hold and can fail', (check, right, wrong) => {
  expect(failed(right)).toEqual([]);
  expect(checkExpectations(step(), right).length).toBeGreaterThan(right.outcome === undefined ? 1 : 0);
  expect(failed(wrong)).toEqual([check]);
});

it('error_handled can hold and can fail', () => {
  expect(failed({ error_handled: true })).toEqual([]);
  const calm = BODIES.map((body) => (body.type === 'text' ? { ...body, text: 'All is well.' } : body));
  for (const error_handled of [true, { recovers: false }]) {
    expect(checkExpectations(step(calm), { error_handled }).at(-1)).toMatchObject({
      name: 'error-handled',
      status: 'failed',
    });
  }
});

it('json holds the text against a schema', () => {
  const spoken = (text: string) => BODIES.map((body) => (body.type === 'text' ? { ...body, text } : body));
  const json = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  expect(checkExpectations(step(spoken('{"n":1}')), { json }).every(({ status }) => status === 'passed')).toBe(true);
  expect(checkExpectations(step(spoken('{"n":"1"}')), { json }).at(-1)).toMatchObject({ status: 'failed' });
});

it('gives a result for each thing that is expected', () => {
  const both = checkExpectations(step(), {
    keywords: { any: ['look'], all: ['look'], none: ['x'] },
    suggests: '/plan',
  });
  expect(both.map(({ name }) => name)).toEqual([
    'outcome',
    'keywords',
    'keywords',
    'keywords: none',
    'command-suggested',
  ]);
});
