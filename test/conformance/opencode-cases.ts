import type { ModelAnswer } from './openai-model.js';
import type { OpenCodeCase } from './opencode-case.js';
import { OPENCODE_COMMAND_CASES } from './opencode-command-cases.js';
import { OPENCODE_PERMISSION_CASES } from './opencode-permission-cases.js';
import { OPENCODE_SERVER_CASES } from './opencode-server-cases.js';
import { OPENCODE_TOLD_CASES } from './opencode-told-cases.js';
import { OPENCODE_TOOL_CASES } from './opencode-tool-cases.js';

const TEXTS = { text: 'I will look.', closing: 'Done: all well.\nSecond line.' };
const CALL = { command: 'echo hi; exit 3', description: 'Say hi' };
const ENVIRONMENT = {
  command: "env | grep -E '^(AGENT|OPENCODE|OPENCODE_PID)=' | sed 's/PID=.*/PID=1/' | LC_ALL=C sort",
  description: 'Look',
};
const usage = { input_tokens: 10, output_tokens: 5 };

/** The model calls the shell once. */
const calling = (call: typeof CALL) => ({
  answer: { ...TEXTS, tools: [['bash', call]] } satisfies ModelAnswer,
  scenario: {
    default_model: 'fake/fake-model',
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'contains', text: 'look' },
        response: {
          text: TEXTS.text,
          usage,
          tool_calls: [{ tool: 'Bash', input: call }],
          then: { text: TEXTS.closing, usage },
        },
      },
    ],
  },
});
const LOOK = calling(CALL);

const LINES = 'one\ntwo\ntwo é\n';
const TOOL_CALLS: [string, Record<string, unknown>][] = [
  ['bash', { command: "printf '\\303'; sleep 0.3; printf '\\251'; exit 3", description: 'd' }],
  ['bash', { command: 'echo before; sleep 60 & wait', timeout: 500, description: 'd' }],
  ['read', { filePath: 'a.txt' }],
  ['read', { filePath: 'a.txt', offset: 2, limit: 1 }],
  ['read', { filePath: 'none.txt' }],
  ['read', { filePath: 'folder' }],
  ['write', { filePath: 'new/c.txt', content: 'x' }],
  ['edit', { filePath: 'edited.txt', oldString: 'one', newString: '1' }],
  ['edit', { filePath: 'a.txt', oldString: 'two', newString: '2' }],
  ['edit', { filePath: 'a.txt', oldString: 'three', newString: '3' }],
  ['edit', { filePath: 'none.txt', oldString: 'a', newString: 'b' }],
];

const JSON_RUN = ['run', '--format', 'json', '--title', 'My title', 'look at it'];
const session = (
  name: string,
  args: string[],
  then: string[][] = [],
  more: Partial<OpenCodeCase> = {},
): OpenCodeCase => ({
  ...{ name, args, then },
  ...LOOK,
  ...more,
});

/** What is told of sessions and models. */
const SESSION_CASES: readonly OpenCodeCase[] = [
  session('sessions, where there are none', ['session', 'list'], [['session', 'list', '--format', 'json']]),
  session('sessions', JSON_RUN, [
    ['session', 'list'],
    ['session', 'list', '--format', 'json'],
    ['run', '--title', 'A title that has more than twenty-five letters', 'look'],
    ['session', 'list'],
    ['session', 'list', '-n', '1'],
    ['session', 'list', '--max-count', 'x', '--format=json'],
  ]),
  session(
    'sessions of a repository',
    JSON_RUN,
    [
      ['session', 'list', '--format', 'json'],
      ['export', '{session}'],
    ],
    { git: true },
  ),
  session('a session that is exported', JSON_RUN, [
    ['export', '{session}'],
    ['run', '-c', '--title', 'New', 'look'],
    ['export', '{session}'],
  ]),
  session('a session that is exported after a failure', JSON_RUN, [['export', '{session}']], {
    answer: { status: 401, text: 'no key' },
    scenario: {
      default_model: 'fake/fake-model',
      responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'no key' } }],
    },
  }),
  session('a session that is deleted', JSON_RUN, [
    ['session', 'delete', '{session}'],
    ['session', 'list'],
    ['session', 'delete', '{session}'],
    ['export', '{session}'],
  ]),
  session(
    'sessions that are not there',
    ['export', 'none'],
    [
      ['export', 'ses_none'],
      ['session', 'delete', 'none'],
    ],
  ),
  session(
    'sessions, asked for in a wrong way',
    ['session'],
    [
      ['session', 'bogus'],
      ['session', 'list', '--format', 'bogus'],
      ['session', 'list', '--bogus'],
      ['session', 'delete'],
      ['export', '--bogus', 'x'],
    ],
    { onlyCode: true },
  ),
  session(
    'help about sessions',
    ['session', '--help'],
    [
      ['session', 'list', '-h'],
      ['export', '--help'],
      ['models', '--help'],
    ],
    { onlyCode: true },
  ),
  session(
    'models',
    ['models'],
    [
      ['models', 'fake'],
      ['models', 'bogus'],
    ],
  ),
];

export const OPENCODE_CASES: readonly OpenCodeCase[] = [
  { name: 'events', args: ['run', '--format', 'json', '--title', 't', 'look'], ...LOOK },
  { name: 'text', args: ['run', '--title', 't', 'look'], ...LOOK },
  {
    name: 'a wrong key',
    args: ['run', '--format', 'json', '--title', 't', 'look'],
    answer: { status: 401, text: 'bad key' },
    scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'bad key' } }] },
  },
  { name: 'no message', args: ['run'], ...LOOK },
  { name: 'no such session', args: ['run', '-s', 'ses_nowhere', 'look'], ...LOOK },
  { name: 'an unknown flag', args: ['run', '--bogus', 'look'], ...LOOK, onlyCode: true },
  {
    name: 'tool results',
    args: ['run', '--format', 'json', '--title', 't', 'go'],
    answer: { tools: TOOL_CALLS, closing: 'done' },
    scenario: {
      tool_execution: { mode: 'live' },
      responses: [
        {
          pattern: { type: 'any' },
          response: { tool_calls: TOOL_CALLS.map(([tool, input]) => ({ tool, input })), then: 'done' },
        },
      ],
    },
    files: { 'a.txt': LINES, 'edited.txt': LINES, 'folder/b.txt': 'b\n', 'folder/sub/c.txt': 'c\n' },
    onlyToolResults: true,
  },
  {
    name: 'the environment of a command',
    args: ['run', '--title', 't', 'look'],
    ...calling(ENVIRONMENT),
  },
  { name: 'an agent that is not there', args: ['run', '--agent', 'nobody', '--title', 't', 'look'], ...LOOK },
  { name: 'a subagent as the agent', args: ['run', '--agent', 'general', '--title', 't', 'look'], ...LOOK },
  {
    name: 'agents of the project',
    args: ['run', '--agent', 'writer', '--title', 't', 'look'],
    files: { '.opencode/agent/writer.md': '---\ndescription: Writes.\nmode: primary\n---\nWrite.\n' },
    ...LOOK,
  },
  {
    name: 'an agent of the settings',
    args: ['run', '--agent', 'reader', '--title', 't', 'look'],
    files: { 'opencode.json': '{ "agent": { "reader": { "description": "Reads.", "prompt": "Read." } } }' },
    ...LOOK,
  },
  {
    name: 'an agent of settings with comments',
    args: ['run', '--agent', 'reader', '--title', 't', 'look'],
    files: {
      'opencode.jsonc':
        '{ // ours\n  "agent": {\n    /* one */ "reader": { "description": "Reads // all.", "prompt": "Read, }" }, // the last\n  },\n}\n',
    },
    ...LOOK,
  },
  {
    name: 'a subagent of the project as the agent, with events',
    args: ['run', '--agent', 'helper', '--format', 'json', '--title', 't', 'look'],
    files: { '.opencode/agents/helper.md': '---\ndescription: Helps.\nmode: subagent\n---\nHelp.\n' },
    ...LOOK,
  },
  { name: 'a file that is not there', args: ['run', '--title', 't', '-f', 'none.txt', '--', 'look'], ...LOOK },
  {
    name: 'a file that is there',
    args: ['run', '--title', 't', '--file', 'a.txt', '--', 'look'],
    files: { 'a.txt': 'one' },
    ...LOOK,
  },
  {
    name: 'words behind a file are files',
    args: ['run', '--title', 't', '-f', 'a.txt', 'look'],
    files: { 'a.txt': 'one' },
    ...LOOK,
  },
  { name: 'a model without a provider', args: ['run', '--title', 't', '-m', 'sonnet', 'look'], ...LOOK },
  {
    name: 'a model without a provider, with events',
    args: ['run', '--format', 'json', '--title', 't', '--model=sonnet', 'look'],
    ...LOOK,
  },
  ...SESSION_CASES,
  ...OPENCODE_TOLD_CASES,
  ...OPENCODE_COMMAND_CASES,
  ...OPENCODE_PERMISSION_CASES,
  ...OPENCODE_SERVER_CASES,
  ...OPENCODE_TOOL_CASES,
];
