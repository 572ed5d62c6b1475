import { type Case, control, fail, LIVING, STREAM, say, tool, user } from './claude-case.js';

const SESSION = '22222222-2222-4222-8222-222222222222';
const NO_RETRY = { CLAUDE_CODE_MAX_RETRIES: '0' };

/** Flags, formats, prompts and sessions. */
const basics: Case[] = [
  { name: 'text', args: ['-p', 'hi'] },
  { name: 'json', args: ['-p', 'hi', '--output-format', 'json'] },
  { name: 'stream-json', args: [...STREAM, 'hi'], transcript: true },
  { name: 'stream-json without --verbose', args: ['-p', 'hi', '--output-format', 'stream-json'] },
  { name: 'prompt on stdin', args: ['-p'], stdin: 'hi there' },
  { name: 'no prompt', args: ['-p'] },
  { name: 'unknown flag', args: ['-p', 'hi', '--nonsense'] },
  { name: 'wrong choice', args: ['-p', 'hi', '--output-format', 'xml'] },
  { name: 'wrong mode', args: ['-p', 'hi', '--permission-mode', 'nope'] },
  { name: 'missing value', args: ['-p', 'hi', '--model'] },
  { name: 'bad session id', args: ['-p', 'hi', '--session-id', 'abc'] },
  { name: 'model alias', args: [...STREAM, 'hi', '--model', 'haiku'] },
  {
    name: 'thinking, text and tools in one message',
    args: [...STREAM, 'go'],
    turns: [[{ thinking: 'hm', say: 'both', tools: [{ tool: 'Bash', input: { command: 'ls' } }] }, say('done')]],
    files: { 'a.txt': 'x' },
    transcript: true,
  },
  {
    name: 'partial messages',
    args: [...STREAM, 'go', '--include-partial-messages'],
    turns: [[{ thinking: 'hm', say: 'Hello', tools: [{ tool: 'Bash', input: { command: 'ls' } }] }, say('done')]],
  },
  {
    name: 'maximum of turns',
    args: [...STREAM, 'go', '--max-turns', '1'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'maximum of turns as text',
    args: ['-p', 'go', '--max-turns', '1'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'budget',
    args: [...STREAM, 'go', '--max-budget-usd', '0.0001'],
    turns: [[tool('Bash', { command: 'ls' }), say('done')]],
  },
  {
    name: 'structured output',
    args: [...STREAM, 'go', '--json-schema', '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}'],
    turns: [[tool('StructuredOutput', { b: 1 }), tool('StructuredOutput', { a: 'x' }), say('done')]],
  },
  {
    name: 'session id, then resume',
    args: [...STREAM, 'bob', '--resume', SESSION],
    before: [{ args: ['-p', 'login', '--session-id', SESSION] }],
    transcript: true,
  },
  {
    name: 'session id that is taken',
    args: ['-p', 'x', '--session-id', SESSION],
    before: [{ args: ['-p', 'login', '--session-id', SESSION] }],
  },
  { name: 'resume of an unknown session', args: ['-p', 'x', '--resume', SESSION] },
  { name: 'resume of an unknown session as a stream', args: [...STREAM, 'x', '--resume', SESSION] },
  { name: 'resume of what is no id', args: ['-p', 'x', '--resume', 'abc'] },
  {
    name: 'resume by title',
    args: [...STREAM, 'x', '--resume', 'my title'],
    before: [{ args: ['-p', 'login', '--name', 'my title'] }],
  },
  {
    name: 'continue',
    args: [...STREAM, 'x', '--continue'],
    before: [{ args: ['-p', 'login', '--session-id', SESSION] }],
    transcript: true,
  },
  { name: 'continue where nothing was', args: ['-p', 'x', '--continue'] },
  {
    name: 'fork',
    args: [
      ...STREAM,
      'x',
      '--resume',
      SESSION,
      '--fork-session',
      '--session-id',
      '33333333-3333-4333-8333-333333333333',
    ],
    before: [{ args: ['-p', 'login', '--session-id', SESSION] }],
    transcript: true,
  },
  { name: 'session id with resume', args: ['-p', 'x', '--resume', SESSION, '--session-id', SESSION] },
  { name: 'no session persistence', args: [...STREAM, 'x', '--no-session-persistence'], transcript: true },
  { name: 'missing settings file', args: ['-p', 'x', '--settings', 'ROOT/nope.json'] },
  { name: 'broken project settings', args: ['-p', 'x'], files: { '.claude/settings.json': '{bad' } },
  {
    name: 'wrong type in project settings',
    args: ['-p', 'x'],
    files: { '.claude/settings.json': { permissions: { allow: 'x' } } },
  },
  {
    name: 'settings in a flag',
    args: [...STREAM, 'x', '--settings', '{"model":"haiku","permissions":{"defaultMode":"acceptEdits"}}'],
  },
  { name: 'unknown slash command', args: [...STREAM, '/nosuch thing'] },
  { name: 'command without a screen', args: [...STREAM, '/help'] },
  { name: 'cost', args: [...STREAM, '/cost'] },
  { name: 'clear', args: [...STREAM, '/clear'] },
  { name: 'compact of nothing', args: [...STREAM, '/compact'] },
];

/** Living sessions and the control channel. */
const living: Case[] = [
  {
    name: 'two turns',
    args: [...LIVING, '--replay-user-messages'],
    turns: [[say('one')], [say('two')]],
    talk: [user('first'), { until: 'result' }, user([{ type: 'text', text: 'second' }]), { until: 'result' }],
    transcript: true,
  },
  { name: 'a line that is no JSON', args: LIVING, stdin: 'garbage\n' },
  { name: 'stream input with text output', args: ['-p', '--input-format', 'stream-json'] },
  { name: 'replay without stream input', args: [...STREAM, 'x', '--replay-user-messages'] },
  {
    name: 'control requests',
    args: LIVING,
    talk: [
      ...control('mcp', { subtype: 'mcp_status' }),
      ...control('mode', { subtype: 'set_permission_mode', mode: 'acceptEdits' }),
      { until: 'status' },
      ...control('bad-mode', { subtype: 'set_permission_mode', mode: 'nonsense' }),
      ...control('model', { subtype: 'set_model', model: 'sonnet' }),
      ...control('thinking', { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 100 }),
      ...control('unknown', { subtype: 'nonsense' }),
      ...control('idle', { subtype: 'interrupt' }),
      user('hi'),
      { until: 'result' },
    ],
  },
  {
    name: 'permission rules and settings',
    args: LIVING,
    files: { 'HOME/.claude/settings.json': { permissions: { deny: ['Bash(rm *)'] } } },
    talk: [
      ...control('rules', { subtype: 'list_permission_rules' }),
      ...control('settings', { subtype: 'get_settings' }),
    ],
  },
  {
    name: 'interrupt while the model speaks',
    args: LIVING,
    turns: [[{ say: 'slow', delayMs: 3000 }], [say('after')]],
    talk: [
      user('first'),
      { until: 'init' },
      { wait: 400 },
      ...control('stop', { subtype: 'interrupt' }),
      { until: 'result' },
    ],
  },
  {
    name: 'interrupt while a tool runs',
    args: [...LIVING, '--permission-mode', 'bypassPermissions'],
    turns: [[tool('Bash', { command: 'sleep 5' }), say('after')]],
    talk: [
      user('first'),
      { until: 'assistant' },
      { wait: 400 },
      ...control('stop', { subtype: 'interrupt' }),
      { until: 'result' },
    ],
  },
  {
    name: 'the host allows',
    args: [...LIVING, '--permission-prompt-tool', 'stdio'],
    turns: [[tool('Write', { file_path: 'q', content: 'q' }), say('after')]],
    talk: [user('first'), { until: 'result' }],
    hostAnswer: { behavior: 'allow' },
  },
  {
    name: 'the host denies',
    args: [...LIVING, '--permission-prompt-tool', 'stdio'],
    turns: [[tool('Write', { file_path: 'q', content: 'q' }), say('after')]],
    talk: [user('first'), { until: 'result' }],
    hostAnswer: { behavior: 'deny', message: 'no thanks' },
  },
  {
    name: 'the host denies and interrupts',
    args: [...LIVING, '--permission-prompt-tool', 'stdio'],
    turns: [[tool('Write', { file_path: 'q', content: 'q' }), say('after')]],
    talk: [user('first'), { until: 'result' }],
    hostAnswer: { behavior: 'deny', message: 'no', interrupt: true },
  },
  {
    name: 'a hook of the host',
    args: LIVING,
    turns: [[tool('Bash', { command: 'ls' }), say('after')]],
    talk: [
      {
        send: {
          type: 'control_request',
          request_id: 'init',
          request: { subtype: 'initialize', hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] } },
        },
      },
      { until: 'control_response' },
      user('first'),
      { until: 'result' },
    ],
    hostAnswer: {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    },
  },
];

const failing = (type: string, step = fail(type)): Case => ({
  name: `failure ${type}`,
  args: [...STREAM, 'hi'],
  turns: [[step]],
  env: NO_RETRY,
});

/** What happens when the API fails. */
const failures: Case[] = [
  ...[
    'auth_error',
    'forbidden',
    'model_not_found',
    'rate_limit',
    'out_of_credits',
    'context_length',
    'server_error',
    'overloaded',
    'connection_reset',
    'malformed_json',
  ].map((type) => failing(type)),
  failing('partial_response', { fail: 'partial_response', say: 'partial' }),
  { name: 'failure as text', args: ['-p', 'hi'], turns: [[fail('out_of_credits')]], env: NO_RETRY },
  {
    name: 'failure as json',
    args: ['-p', 'hi', '--output-format', 'json'],
    turns: [[fail('rate_limit')]],
    env: NO_RETRY,
  },
  {
    name: 'failure that passes',
    args: [...STREAM, 'hi'],
    turns: [[fail('server_error'), say('fine')]],
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  },
];

export const CASES: readonly Case[] = [...basics, ...living, ...failures];
