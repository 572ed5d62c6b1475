import { MCP_SERVER } from './gemini-mcp-server.js';
import { type Call, chain, contains, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

/** A hook that writes down what it hears (`node h.mjs NAME [what to say] [exit code] [stream]`), and says something. */
const HOOK = `
import { appendFileSync, readFileSync } from 'node:fs';
const [name, said = '', code = '0', stream = 'stdout'] = process.argv.slice(2);
const { session_id, timestamp, transcript_path, cwd, ...input } = JSON.parse(readFileSync(0, 'utf8'));
const { GEMINI_PROJECT_DIR, GEMINI_CWD, CLAUDE_PROJECT_DIR, GEMINI_SESSION_ID, GEMINI_PLANS_DIR, OWN, GEMINI_API_KEY } = process.env;
const isSet = [GEMINI_PROJECT_DIR, GEMINI_CWD, CLAUDE_PROJECT_DIR, process.cwd()].every((folder) => folder === cwd) &&
  GEMINI_SESSION_ID === session_id && (GEMINI_PLANS_DIR ?? '').endsWith('plans');
const file = transcript_path.split('/').at(-1).startsWith('session-') && transcript_path.includes(session_id.slice(0, 8));
const text = JSON.stringify(input).replaceAll(cwd, '/W').replaceAll(/PGID: \\d+/g, 'PGID: 0');
appendFileSync('hooked.txt', [name, isSet, file, !isNaN(Date.parse(timestamp)), OWN, text].join(' ') + '\\n');
// The agent goes on after an objection, and would do so for ever.
if (!input.stop_hook_active) {
  process[stream].write(said);
  process.exitCode = Number(code);
}
`;

const CALLS: readonly Call[] = [
  ['shell', { command: 'echo one' }],
  ['read', { path: 'a.txt' }],
];

const SCENARIO = {
  responses: [
    { pattern: contains('go on'), response: { text: 'Went on.', usage } },
    {
      pattern: contains('many'),
      response: chain([...CALLS, ['read', { path: 'none.txt' }], ['mcp_my_echo', { text: 'hi' }]]),
    },
    { pattern: contains('mute'), response: { tool_calls: [{ tool: 'shell', input: { command: 'echo one' } }], usage } },
    { pattern: contains('use'), response: chain(CALLS.slice(0, 1)) },
    {
      pattern: contains('both'),
      response: {
        text: 'First.',
        tool_calls: [{ tool: 'shell', input: { command: 'echo one' } }],
        usage,
        then: { text: 'End.', usage },
      },
    },
    { pattern: { type: 'any' }, response: { text: '<{{prompt}}>', usage } },
  ],
};

type Said = string | object;

const hook = (name: string, said: Said = '', code = 0, stream = 'stdout', more: object = {}): object => {
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const quoted = `'${text}'`;
  return { type: 'command', command: `node h.mjs ${name} ${quoted} ${code} ${stream}`, ...more };
};
const on = (event: string, ...hooks: object[]): object => ({ [event]: [{ hooks }] });
const matched = (event: string, matcher: string, ...hooks: object[]): object => ({ [event]: [{ matcher, hooks }] });
const specific = (hookEventName: string, more: object): object => ({ hookSpecificOutput: { hookEventName, ...more } });

const events = (...args: string[]): ScriptedRun => ({ args: ['-y', '-o', 'stream-json', ...args] });
const one = (
  name: string,
  hooks: object,
  run: ScriptedRun | readonly ScriptedRun[] = events('-p', 'use'),
  settings: object = {},
): ScriptedCase => ({
  ...{ name: `hook: ${name}`, runs: [run].flat(), scenario: SCENARIO, written: ['hooked.txt'] },
  files: {
    ...{ 'h.mjs': HOOK, 's.mjs': MCP_SERVER, 'a.txt': 'one\n' },
    '.gemini/settings.json': JSON.stringify({ hooks, ...settings }),
  },
});

const EVERY = [
  'SessionStart',
  'SessionEnd',
  'BeforeAgent',
  'AfterAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
  'PreCompress',
];
const all = Object.assign({}, ...EVERY.map((event) => on(event, hook(event)))) as object;
const MCP = { mcpServers: { my: { command: 'node', args: ['s.mjs'] } } };

/** Hooks of the settings. */
export const GEMINI_HOOK_CASES: readonly ScriptedCase[] = [
  one('all events', all, events('-p', 'many'), MCP),
  one('all events, as text', all, { args: ['-y', '-p', 'both'] }),
  one('all events, as a document', all, { args: ['-y', '-o', 'json', '-p', 'both'] }),
  one('all events, without tools', all, events('-p', 'hello @a.txt')),
  one('all events, nothing allowed', all, {
    args: ['-o', 'stream-json', '--allowed-tools', 'run_shell_command(ls)', '-p', 'use'],
  }),
  one('all events, resumed', all, [events('-p', 'hello'), events('-r', 'latest', '-p', 'use')]),
  one('all events, nothing answered', all, events('-p', 'mute')),
  // What is said.
  ...(['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeTool', 'AfterTool'] as const).flatMap(
    (event) => [
      one(`${event} says words`, on(event, hook('a', 'some words'))),
      one(`${event} fails`, on(event, hook('a', 'oh no', 1, 'stderr'))),
      one(
        `${event} objects`,
        on(event, hook('a', 'not so', 2, 'stderr')),
        events('-p', event === 'AfterAgent' ? 'hello' : 'use'),
      ),
      one(`${event} denies`, on(event, hook('a', { decision: 'deny', reason: 'no way' }))),
      one(`${event} stops`, on(event, hook('a', { continue: false, stopReason: 'enough' }))),
      one(`${event} adds`, on(event, hook('a', specific(event, { additionalContext: 'more <b>' })))),
      one(`${event} tells`, on(event, hook('a', { systemMessage: 'hear me' }))),
    ],
  ),
  one(
    'SessionStart adds, as text',
    on('SessionStart', hook('a', specific('SessionStart', { additionalContext: 'more' }))),
    { args: ['-y', '-p', 'hello'] },
  ),
  one('BeforeAgent stops, as text', on('BeforeAgent', hook('a', { continue: false, stopReason: 'enough' })), {
    args: ['-y', '-p', 'hello'],
  }),
  one('BeforeAgent stops, as a document', on('BeforeAgent', hook('a', { continue: false, stopReason: 'enough' })), {
    args: ['-y', '-o', 'json', '-p', 'hello'],
  }),
  one('BeforeAgent denies, as text', on('BeforeAgent', hook('a', { decision: 'block', reason: 'no' })), {
    args: ['-y', '-p', 'hello'],
  }),
  one('BeforeAgent denies, as a document', on('BeforeAgent', hook('a', { decision: 'block', reason: 'no' })), {
    args: ['-y', '-o', 'json', '-p', 'hello'],
  }),
  one('BeforeTool stops, as text', on('BeforeTool', hook('a', { continue: false })), { args: ['-y', '-p', 'both'] }),
  one('BeforeTool stops, as a document', on('BeforeTool', hook('a', { continue: false })), {
    args: ['-y', '-o', 'json', '-p', 'both'],
  }),
  one('AfterAgent stops, as a document', on('AfterAgent', hook('a', { continue: false, stopReason: 'x' })), {
    args: ['-y', '-o', 'json', '-p', 'both'],
  }),
  one('AfterAgent stops, as text', on('AfterAgent', hook('a', { continue: false, stopReason: 'x' })), {
    args: ['-y', '-p', 'both'],
  }),
  one(
    'BeforeTool changes the input',
    on('BeforeTool', hook('a', specific('BeforeTool', { tool_input: { command: 'echo two' } }))),
  ),
  one(
    'a matcher',
    { ...matched('BeforeTool', 'read_.*|glob', hook('a')), ...matched('AfterTool', 'run_shell', hook('b')) },
    events('-p', 'many'),
    MCP,
  ),
  one(
    'a matcher of the start',
    { ...matched('SessionStart', 'resume', hook('a')), ...matched('SessionEnd', 'exit', hook('b')) },
    events('-p', 'hello'),
  ),
  one('a matcher that is no pattern', matched('BeforeTool', 'run_shell_command(', hook('a'))),
  one('a timeout', on('BeforeTool', { type: 'command', command: 'sleep 5', timeout: 200 })),
  one('a name and variables', on('BeforeTool', hook('a', '', 1, 'stdout', { name: 'mine', env: { OWN: 'o' } }))),
  one('a folder in the command', on('BeforeTool', { type: 'command', command: 'node "$GEMINI_PROJECT_DIR/h.mjs" x' })),
  one('several in order', {
    BeforeTool: [
      {
        sequential: true,
        hooks: [hook('a', specific('BeforeTool', { tool_input: { command: 'echo two' } })), hook('b')],
      },
    ],
  }),
  one('several objections', {
    BeforeTool: [
      {
        sequential: true,
        hooks: [hook('a', { decision: 'deny', reason: 'x' }), hook('b', { decision: 'allow', reason: 'y' })],
      },
    ],
  }),
  one('twice the same', on('BeforeTool', hook('a'), hook('a'))),
  one('switched off', on('BeforeTool', hook('a', '', 0, 'stdout', { name: 'mine' })), events('-p', 'use'), {
    hooksConfig: { disabled: ['mine'] },
  }),
  one('all switched off', all, events('-p', 'use'), { hooksConfig: { enabled: false } }),
  one('an unknown event', on('PreToolUse', hook('a'))),
  one('of no kind', on('BeforeTool', { type: 'prompt', prompt: 'x' }, { type: 'command' })),
  one('suppressed', on('BeforeTool', hook('a', { suppressOutput: true, systemMessage: 'hear me' }))),
];
