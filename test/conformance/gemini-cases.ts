import { GEMINI_COMMAND_CASES } from './gemini-command-cases.js';
import { GEMINI_FILE_CASES } from './gemini-file-cases.js';
import { GEMINI_FLAG_CASES } from './gemini-flag-cases.js';
import { GEMINI_HOOK_CASES } from './gemini-hook-cases.js';
import { GEMINI_OUTPUT_CASES } from './gemini-output-cases.js';
import { type Call, chain, contains, json, stream, text, usage } from './gemini-runs.js';
import { GEMINI_SERVER_CASES } from './gemini-server-cases.js';
import { GEMINI_SETTINGS_CASES } from './gemini-settings-cases.js';
import { MODEL_FAILURES } from './model-failures.js';
import { printedEnvironment } from './printed-environment.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const READING: readonly Call[] = [
  ['read', { path: 'a.txt' }],
  ['read', { path: 'a.txt', offset: 2, limit: 1 }],
  ['read', { path: 'none.txt' }],
  ['read', { path: 'sub' }],
  ['list_directory', { dir_path: '.' }],
  ['glob', { pattern: 'a.*' }],
  ['glob', { pattern: '*.zip' }],
  ['grep', { pattern: 'four' }],
  ['grep', { pattern: 't[wh]' }],
  ['grep', { pattern: 'qqq' }],
  ['grep', { pattern: 'b', include: 'b*' }],
];

const CHANGING: readonly Call[] = [
  ['write', { path: 'new/c.txt', content: 'x\ny\n' }],
  ['Write', { file_path: 'b.txt', content: 'z' }],
  ['edit', { path: 'a.txt', old: 'two', new: '2' }],
  ['edit', { path: 'a.txt', old: 'zzz', new: '2' }],
  ['edit', { path: 'none.txt', old: 'zzz', new: '2' }],
  ['edit', { path: 'fresh.txt', old: '', new: 'f\n' }],
  ['edit', { path: 'a.txt', old: 'o', new: '0' }],
  ['edit', { path: 'a.txt', old: 'o', new: '0', all: true }],
  ['write', { path: '/nowhere/x.txt', content: 'x' }],
];

const RUNNING: readonly Call[] = [
  ['shell', { command: "printf 'it'\\''s \"q\"'; echo err >&2" }],
  ['Bash', { command: 'echo out; exit 3' }],
  ['run_shell_command', { command: 'exit 4', description: 'd' }],
  ['shell', { command: 'true' }],
  ['shell', { command: 'nosuchcommand-x' }],
  ['shell', { command: 'kill -9 $$' }],
  ['run_shell_command', { command: 'pwd', dir_path: 'sub' }],
];

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' };

const SCENARIO = {
  responses: [
    { pattern: contains('reading'), response: chain(READING) },
    { pattern: contains('changing'), response: chain(CHANGING) },
    { pattern: contains('running'), response: chain(RUNNING) },
    {
      pattern: contains('look'),
      response: {
        text: 'I will look.',
        thinking: 'Hmm, **deep**',
        usage,
        tool_calls: [
          { tool: 'shell', input: { command: 'echo hi; exit 3' } },
          { tool: 'shell', input: { command: 'echo two' } },
        ],
        then: { text: 'Done.\nSecond line.', usage },
      },
    },
    {
      pattern: contains('begin'),
      response: 'One.',
      turns: [
        { expect: contains('go on'), response: 'Two.' },
        { expect: contains('go on'), response: 'Three.' },
      ],
    },
    { pattern: contains('mute'), response: '' },
    { pattern: contains('said'), response: '<{{prompt}}>' },
    { pattern: contains('tell'), response: 'A first sentence, which is long enough for two pieces. A second one.\n' },
    {
      pattern: contains('peek'),
      response: { tool_calls: [{ tool: 'glob', input: { pattern: 'a.*' } }], text: 'Seen.' },
    },
    { pattern: contains('unoffered'), response: { tool_calls: [{ tool: 'Task', input: { prompt: 'x' } }] } },
    { pattern: contains('flaky'), failure: { type: 'overloaded', times: 1 }, response: 'At last.' },
  ],
};

const SILENT = {
  responses: [
    { pattern: contains('only'), response: { tool_calls: [{ tool: 'read', input: { path: 'a.txt' } }], usage } },
  ],
};

const base = { scenario: SCENARIO, files: FILES };
const one = (name: string, run: ScriptedRun, more: Partial<ScriptedCase> = {}): ScriptedCase => ({
  ...{ name, runs: [run] },
  ...base,
  ...more,
});
const failing = (failure: object) => ({ scenario: { responses: [{ pattern: { type: 'any' }, failure }] } });
const WRITTEN = ['a.txt', 'b.txt', 'new/c.txt', 'fresh.txt'];

export const GEMINI_CASES: readonly ScriptedCase[] = [
  one('events', stream('-p', 'look here')),
  one('a document', json('-p', 'look here')),
  one('text', text('-p', 'look here')),
  one('pieces of a text', stream('-p', 'tell me')),
  one('a text that ends its line', text('-p', 'tell me')),
  one('tools that read', stream('-p', 'reading')),
  one('tools that change', stream('-p', 'changing'), { written: WRITTEN }),
  one('a document of tools that change', json('-p', 'changing'), { written: WRITTEN }),
  one('tools that run', stream('-p', 'running')),
  one(
    'the environment of a command',
    stream('-p', 'go'),
    printedEnvironment(usage, 'GEMINI_CLI|DISPLAY|DBUS.*|GCM.*|GH_.*|GIT_.*|PAGER|SSH_ASKPASS|TERM'),
  ),
  one('a tool that is not offered', stream('-p', 'unoffered')),
  one('a tool that needs approval', { args: ['-o', 'stream-json', '-p', 'look'] }),
  one('a tool that needs no approval', { args: ['-o', 'stream-json', '-p', 'peek'] }),
  one('edits without approval', { args: ['--approval-mode', 'auto_edit', '-o', 'stream-json', '-p', 'changing'] }),
  one('a plan', { args: ['--approval-mode=plan', '-o', 'json', '-p', 'peek'] }),
  one('a prompt that nothing answers', stream('-p', 'zzz')),
  one('a prompt that nothing answers, as text', text('-p', 'zzz')),
  one('nothing said', stream('-p', 'mute')),
  one('nothing said, as a document', json('-p', 'mute')),
  one('nothing said, as text', text('-p', 'mute')),
  one('nothing said after a tool', stream('-p', 'only'), { scenario: SILENT }),
  one('nothing said after a tool, as a document', json('-p', 'only'), { scenario: SILENT }),
  one('nothing said after a tool, as text', text('-p', 'only'), { scenario: SILENT }),
  one('a failure that passes', json('-p', 'flaky')),
  ...Object.entries(MODEL_FAILURES).map(([name, failure]) => one(name, stream('-p', 'x'), failing(failure))),
  one('a failure as a document', json('-p', 'x'), failing({ type: 'overloaded' })),
  one('an unreachable server as a document', json('-p', 'x'), failing({ type: 'connection_refused' })),
  one('a failure as text', text('-p', 'x'), failing({ type: 'auth_error', message: 'bad key' })),
  one('half an answer as text', text('-p', 'x'), failing({ type: 'partial_response', partial_text: 'half' })),
  one('half an answer as a document', json('-p', 'x'), failing({ type: 'partial_response', partial_text: 'half' })),
  {
    name: 'several turns',
    runs: [stream('-p', 'begin'), stream('-r', '{session}', '-p', 'go on'), stream('--resume', '-p', 'go on')],
    ...base,
  },
  {
    name: 'a session by its number',
    runs: [stream('-p', 'begin'), stream('-p', 'said'), text('-r', '1', '-p', 'go on')],
    ...base,
  },
  { name: 'no such session', runs: [text('-p', 'begin'), stream('-r', 'nonsense', '-p', 'go on')], ...base },
  one('no sessions', text('-r', 'latest', '-p', 'said')),
  one('a session id', stream('--session-id', '01990000-0000-4000-8000-000000000000', '-p', 'said')),
  one('words', text('said', 'by words')),
  one('the prompt from stdin', { ...text(), input: 'said\n' }),
  one('stdin before the prompt', { ...stream('-p', 'said'), input: 'piped\n' }),
  one('no prompt', text()),
  one('an empty prompt', text('-p', '')),
  one('a prompt like a flag', text('--prompt=-said')),
  one('a prompt for a terminal', text('-i', 'said')),
  one('another model', stream('-m', 'other', '-p', 'said')),
  one('two prompts', text('-p', 'said', 'twice')),
  one('an unknown flag', text('--bogus', '-p', 'said')),
  one('an unknown format', text('-o', 'xml', '-p', 'said')),
  one('an unknown mode', { args: ['--approval-mode', 'bold', '-p', 'said'] }),
  one('two modes', text('--approval-mode', 'default', '-p', 'said')),
  one('a flag without its value', text('-p')),
  one('the version', { args: ['--version'] }),
  one('help', { args: ['--help'] }, { onlyCode: true }),
  ...GEMINI_FILE_CASES,
  ...GEMINI_FLAG_CASES,
  ...GEMINI_COMMAND_CASES,
  ...GEMINI_OUTPUT_CASES,
  ...GEMINI_SETTINGS_CASES,
  ...GEMINI_SERVER_CASES,
  ...GEMINI_HOOK_CASES,
];
