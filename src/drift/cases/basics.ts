import type { Failure } from '../../scenario/schema.js';
import { type Case, control, fail, LIVING, RECORD_PAYLOAD, STREAM, say, tool, user } from '../case.js';

const SESSION = '22222222-2222-4222-8222-222222222222';
const NO_RETRY = { CLAUDE_CODE_MAX_RETRIES: '0' };

/** Flags, formats, prompts and sessions. */
const basics: Case[] = [
  { name: 'text', args: ['-p', 'hi'] },
  { name: 'json', args: ['-p', 'hi', '--output-format', 'json'] },
  { name: 'stream-json', args: [...STREAM, 'hi'] },
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
    name: 'structured output that never comes',
    args: [...STREAM, 'go', '--json-schema', '{"type":"object"}'],
    turns: [[say('no')], [say('still no')], [say('never')]],
  },
  {
    name: 'structured output, late',
    args: [...STREAM, 'go', '--json-schema', '{"type":"object"}'],
    turns: [[say('no')], [tool('StructuredOutput', { a: 'x' }), say('done')]],
  },
  {
    name: 'structured output that a Stop hook waits for',
    args: [...STREAM, 'go', '--json-schema', '{"type":"object"}'],
    files: {
      'HOME/.claude/settings.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }] } },
    },
    turns: [[say('no')], [say('still no')]],
  },
  {
    name: 'session id, then resume',
    args: [...STREAM, 'bob', '--resume', SESSION],
    before: [{ args: ['-p', 'login', '--session-id', SESSION] }],
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
  },
  { name: 'session id with resume', args: ['-p', 'x', '--resume', SESSION, '--session-id', SESSION] },
  { name: 'no session persistence', args: [...STREAM, 'x', '--no-session-persistence'] },
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

const line = (...args: string[]): Case => ({ name: `command line: ${args.join(' ')}`, args: ['-p', 'hi', ...args] });
const rules = (list: string, ...texts: string[]): object => ({ permissions: { [list]: texts } });

/** What is on the command line, known and hidden, right and wrong. */
const commandLines: Case[] = [
  line('--permission-mode', 'default'),
  ...['auth', 'update', 'mcp'].map((prompt) => ({ name: `command line: -p ${prompt}`, args: ['-p', prompt] })),
  line('--mcp-debug'),
  line('--cwd', '/'),
  line('--agent', 'nosuch'),
  line('--agents', '{"rev":{"description":"d"}}'),
  line('--agents', 'nofile.json'),
  line('--await-initialize'),
  line('--forward-subagent-text'),
  line('--include-partial-messages'),
  line('--allowedTools', 'Write(*.md)', 'Write(*)', '--disallowedTools', 'Foo', 'Write(x)', 'Bash('),
  line('--max-turns', 'many'),
  line('--max-turns', '0'),
  line('--max-budget-usd', '0'),
  line('--effort', 'nope', '--betas', 'x'),
  line('--thinking', 'nope'),
  line('--autocompact', '50'),
  line('--setting-sources', 'nope'),
  line('--model', 'nonsense'),
  line('--system-prompt-file', 'nope'),
  line('--json-schema', '{'),
  line('--json-schema', '{"type":"nope"}'),
  line('--resume'),
  line('--verbose=1'),
  line('--outpt-format', 'json'),
  line('-pc'),
  line('-phi'),
  line('-nfoo'),
  line('--mcp-config', '{'),
  { name: 'command line: nothing but space', args: ['-p', ' '] },
  { name: 'an agent that only looks', args: [...STREAM, 'hi', '--agent', 'Explore'] },
  {
    name: 'rules that do not do what they seem to',
    args: ['-p', 'hi', '--settings', JSON.stringify(rules('deny', 'Nope', 'mcp__x__y', 'bash', 'Write(b)'))],
    files: {
      'HOME/.claude/settings.json': rules('allow', 'Write(*.md)', 'MultiEdit(x)'),
      '.claude/settings.json': rules('ask', 'Foo', 'Grep(x)', 'NotebookEdit(x)'),
    },
  },
];

/** Living sessions and the control channel. */
const living: Case[] = [
  {
    name: 'two turns',
    args: [...LIVING, '--replay-user-messages'],
    turns: [[say('one')], [say('two')]],
    talk: [user('first'), { until: 'result' }, user([{ type: 'text', text: 'second' }]), { until: 'result' }],
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

const failing = (failure: Failure, name: string = failure.type): Case => ({
  name: `failure ${name}`,
  args: [...STREAM, 'hi'],
  turns: [[fail(failure)]],
  env: NO_RETRY,
});

/** What happens when the API fails. */
const failures: Case[] = [
  ...(
    [
      'auth_error',
      'forbidden',
      'model_not_found',
      'rate_limit',
      'out_of_credits',
      'context_length',
      'server_error',
      'overloaded',
      'network_unreachable',
      'connection_reset',
      'html_response',
    ] as const
  ).map((type) => failing({ type })),
  ...(
    [
      'auth_error',
      'forbidden',
      'model_not_found',
      'rate_limit',
      'out_of_credits',
      'context_length',
      'server_error',
      'overloaded',
    ] as const
  ).map((type) => failing({ type, message: 'as scripted' }, `${type} in other words`)),
  failing({ type: 'malformed_json', raw: '{"type":' }),
  failing({ type: 'partial_response', partial_text: 'partial' }),
  failing({ type: 'connection_reset', partial_text: 'partial' }, 'connection_reset in the middle'),
  failing({ type: 'stall', after_ms: 300 }),
  failing({ type: 'stall', after_ms: 300, partial_text: 'partial' }, 'stall in the middle'),
  failing({ type: 'connection_timeout', after_ms: 300 }),
  {
    name: 'failure partial_response that passes',
    args: [...STREAM, 'hi'],
    turns: [[fail({ type: 'partial_response', partial_text: 'partial' }), say('fine')]],
    env: NO_RETRY,
  },
  {
    name: 'failure connection_reset that passes',
    args: [...STREAM, 'hi'],
    turns: [[fail({ type: 'connection_reset', partial_text: 'partial' }), say('fine')]],
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  },
  { name: 'failure as text', args: ['-p', 'hi'], turns: [[fail({ type: 'out_of_credits' })]], env: NO_RETRY },
  {
    name: 'failure partial_response as text',
    args: ['-p', 'hi'],
    turns: [[fail({ type: 'partial_response', partial_text: 'partial' })]],
    env: NO_RETRY,
  },
  {
    name: 'failure as json',
    args: ['-p', 'hi', '--output-format', 'json'],
    turns: [[fail({ type: 'rate_limit' })]],
    env: NO_RETRY,
  },
  {
    name: 'failure that passes',
    args: [...STREAM, 'hi'],
    turns: [[fail({ type: 'server_error' }), say('fine')]],
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  },
];

export const CASES: readonly Case[] = [...basics, ...commandLines, ...living, ...failures];
