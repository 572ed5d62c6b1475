import { ANYWHERE, casesWith, exec, json, usage } from './codex-case.js';
import { MCP_CASES } from './codex-mcp-cases.js';
import { REVIEW_CASES } from './codex-review-cases.js';
import { SERVER_CASES } from './codex-server-cases.js';
import { SETTINGS_CASES } from './codex-settings-cases.js';
import { MODEL_FAILURES } from './model-failures.js';
import { printedEnvironment } from './printed-environment.js';
import type { ScriptedCase } from './scripted-case.js';

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+2
 three
*** Delete File: b.txt
*** Add File: d/new.txt
+hello
*** End Patch
`;
const MOVE = '*** Begin Patch\n*** Update File: a.txt\n*** Move to: z.txt\n@@ one\n-two\n+2\n*** End Patch\n';
const heredoc = (patch: string, lead = ''): string => `${lead}apply_patch <<'EOF'\n${patch}EOF`;
const WRONG = '*** Begin Patch\n*** Update File: a.txt\n@@\n-nothere\n+x\n*** End Patch\n';

/** Prompts that call one tool each. */
const TOOLS: Record<string, [tool: string, input: object]> = {
  pipes: ['shell', { command: `printf 'it'\\''s "q" $HOME'; ls | grep -E '(^|/)[^/]*\\.txt$' && echo "done!"` }],
  // On one stream: which of two is read first is not sure.
  fails: ['Bash', { command: 'echo out >&2; echo err >&2; exit 3' }],
  lacks: ['exec_command', { cmd: 'nosuchcommand-x' }],
  silent: ['shell', { command: 'true' }],
  killed: ['shell', { command: 'kill -9 $$' }],
  reads: ['read', { path: 'a.txt', offset: 2, limit: 1 }],
  misses: ['read', { path: 'none.txt' }],
  writes: ['write', { path: 'd/w.txt', content: 'x\n' }],
  edits: ['edit', { path: 'a.txt', old: 'two', new: '2' }],
  searches: ['grep', { pattern: 'tw.', path: 'a.txt' }],
  elsewhere: ['exec_command', { cmd: 'pwd', workdir: 'sub' }],
  patches: ['shell', { command: heredoc(PATCH) }],
  below: ['shell', { command: heredoc('*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch\n', 'cd sub && ') }],
  mispatches: ['shell', { command: heredoc(WRONG) }],
  garbles: ['shell', { command: heredoc('hello\n') }],
  mixes: ['shell', { command: heredoc(PATCH, 'echo hi; ') }],
  waits: ['exec_command', { cmd: 'echo before; sleep 30; echo after', yield_time_ms: 1000 }],
};

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' };

const contains = (text: string) => ({ type: 'contains', text });

const SCENARIO = {
  responses: [
    ...Object.entries(TOOLS).map(([word, [tool, input]]) => ({
      pattern: { type: 'exact', text: word },
      response: { tool_calls: [{ tool, input }], usage, then: { text: `After ${word}.`, usage } },
      optional: true,
    })),
    {
      pattern: contains('look'),
      response: {
        text: 'I will look.',
        thinking: 'Hmm, **deep**',
        usage,
        tool_calls: [{ tool: 'shell', input: { command: 'echo hi; exit 3' } }],
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
    { pattern: contains('unoffered'), response: { tool_calls: [{ tool: 'Write', input: { file_path: 'x' } }] } },
    { pattern: contains('flaky'), failure: { type: 'overloaded', times: 1 }, response: 'At last.' },
  ],
};

const base = { scenario: SCENARIO, files: FILES };
const one = casesWith(base);

export const CODEX_CASES: readonly ScriptedCase[] = [
  one('events', json('look here')),
  one('text', exec('look here')),
  ...Object.keys(TOOLS).map((word) =>
    one(`a tool that ${word}`, json(word), { written: ['a.txt', 'b.txt', 'd/new.txt', 'sub/n.txt'] }),
  ),
  one('tools as text', exec('pipes')),
  one('a silent tool as text', exec('silent')),
  one('a patch as text', exec('patches')),
  one('a wrong patch as text', exec('mispatches')),
  one('a patch tool', exec('--json', '-m', 'gpt-5.5', 'patch tool'), {
    scenario: {
      responses: [
        {
          pattern: { type: 'any' },
          // How long the tool took is in its result, and so in the tokens that would be counted.
          response: {
            tool_calls: [{ tool: 'apply_patch', input: { input: MOVE } }],
            then: { text: 'Moved.', usage: { input_tokens: 22, output_tokens: 2 } },
          },
        },
      ],
    },
    written: ['a.txt', 'z.txt'],
  }),
  one('a patch tool as text', exec('-m', 'gpt-5.5', 'patch tool'), {
    scenario: {
      responses: [
        {
          pattern: { type: 'any' },
          // How long the tool took is in its result, and so in the tokens that would be counted.
          response: {
            tool_calls: [{ tool: 'apply_patch', input: { input: MOVE } }],
            then: { text: 'Moved.', usage: { input_tokens: 22, output_tokens: 2 } },
          },
        },
      ],
    },
  }),
  one(
    'the environment of a command',
    json('go'),
    printedEnvironment(usage, 'CODEX_[ACV].*|COLORTERM|GH_PAGER|GIT_.*|LANG|LC_.*|NO_COLOR|PAGER|TERM'),
  ),
  one('a tool that is not offered', json('unoffered')),
  // Its session tells of the programs that it writes; the stand-in's does not.
  one('a model that calls its tools from programs', json('-m', 'gpt-6-sol', 'silent'), { onlyCode: true }),
  one('a prompt that nothing answers', json('zzz')),
  one('a prompt that nothing answers, as text', exec('zzz')),
  one('a failure that would pass', json('flaky')),
  ...Object.entries(MODEL_FAILURES).map(([name, failure]) =>
    one(name, json('x'), { scenario: { responses: [{ pattern: { type: 'any' }, failure }] } }),
  ),
  one('a failure as text', exec('x', '-o', 'last.txt'), {
    scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'server_error' } }] },
    written: ['last.txt'],
  }),
  {
    name: 'several turns, by id',
    runs: [
      json('begin'),
      json('resume', '{session}', 'go on'),
      { args: ['exec', 'resume', '{session}', '--json', ANYWHERE, 'go on'] },
    ],
    ...base,
  },
  {
    name: 'the last session',
    runs: [
      json('begin'),
      exec('resume', '--last', 'go on'),
      { args: ['exec', '--json', ANYWHERE, 'resume', '--last'], input: 'go on\n' },
    ],
    ...base,
  },
  {
    name: 'the last session with another model',
    runs: [json('begin'), exec('resume', '--last', '-m', 'other', 'go on')],
    ...base,
  },
  {
    name: 'the last session is of this folder',
    runs: [{ ...json('begin'), folder: 'sub' }, json('resume', '--last', 'said')],
    ...base,
  },
  {
    name: 'the last session of any folder',
    runs: [{ ...json('begin'), folder: 'sub' }, json('resume', '--last', '--all', 'go on')],
    ...base,
  },
  {
    name: 'an ephemeral session cannot go on',
    runs: [json('--ephemeral', 'begin'), json('resume', '{session}', 'go on')],
    ...base,
  },
  one('no such session', json('resume', '01990000-0000-7000-8000-000000000000', 'again')),
  one('a name that no session has', json('resume', 'nonsense', 'said')),
  one('resume with stdin left alone', { ...json('resume', '--last', 'said'), input: 'more\n' }),
  one('the prompt from stdin', { ...exec(), input: 'said\n' }),
  one('the prompt from stdin, with a dash', { ...exec('-'), input: 'said\n' }),
  one('stdin behind the prompt', { ...json('said'), input: 'piped\n' }),
  one('blank stdin', { ...json('said'), input: '  \n' }),
  one('no prompt', exec()),
  one('a prompt like a flag', exec('--', '-said')),
  one('nothing said', exec('mute', '-o', 'last.txt'), { written: ['last.txt'] }),
  one('the last message in a file', json('look', '--output-last-message', 'last.txt'), { written: ['last.txt'] }),
  one('the last message in no folder', json('look', '-o', 'none/last.txt')),
  one('another folder', exec('-C', 'sub', 'silent')),
  one('no such folder', exec('--cd', 'none', 'said')),
  one('another model', exec('-m', 'gpt-x', 'said')),
  one('a known model', exec('--model=gpt-5.5', 'said')),
  one('settings', exec('-c', 'model="other"', '-c', 'model_reasoning_effort="high"', 'said')),
  ...['look here', 'silent', 'patches', 'mispatches', 'mute'].map((word) =>
    one(`in color, ${word}`, exec('--color', 'always', word)),
  ),
  one('in color, a failure', exec('--color', 'always', 'flaky')),
  one('in color, events', json('--color', 'always', 'mispatches')),
  one('in color, whatever the environment says', { ...exec('--color=always', 'said'), env: { NO_COLOR: '1' } }),
  one('no color', exec('--color', 'never', 'said')),
  one('in color, as nobody can say it', exec('--color', 'bogus', 'said')),
  one('in color, no repository', { args: ['exec', '--color', 'always', 'said'] }),
  {
    name: 'in color, the last session with another model',
    runs: [json('begin'), exec('--color', 'always', 'resume', '--last', '-m', 'other', 'go on')],
    ...base,
  },
  one('an approval policy', { args: ['-a', 'never', 'exec', ANYWHERE, 'said'] }),
  one('no repository', { args: ['exec', '--json', 'said'] }),
  one('no repository, as text', { args: ['exec', 'said'] }),
  one('no repository, but no approvals either', {
    args: ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', 'said'],
  }),
  one('a repository', { args: ['e', '--json', 'said'], folder: 'sub' }, { git: true }),
  one('a schema', json('--output-schema', 'schema.json', 'said'), { files: { 'schema.json': '{"type":"object"}' } }),
  one('no such schema', json('--output-schema', 'none.json', 'said')),
  one('no such home', { ...json('said'), env: { CODEX_HOME: '/ROOT/none' } }),
  one('no terminal', { args: ['said'] }),
  one('an unknown flag', { args: ['exec', '--bogus', 'said'] }),
  one('an unknown short flag', { args: ['exec', '-dash'] }),
  one('an unknown flag of resume', { args: ['exec', 'resume', '-C', 'sub', 'x'] }),
  one('a flag without its value', { args: ['exec', 'x', '-m'] }),
  one('a flag with a wrong value', { args: ['exec', '-s', 'bogus', 'x'] }),
  one('a flag twice', { args: ['exec', '-m', 'a', '-m', 'b', 'x'] }),
  one('too many words', { args: ['exec', 'one', 'two'] }),
  one('the version', { args: ['--version'] }),
  one('the version of exec', { args: ['exec', '-V'] }),
  // What is told of the key is another one each time.
  one('whether somebody is logged in', { args: ['login', 'status'] }, { onlyCode: true }),
  ...MCP_CASES,
  ...SETTINGS_CASES,
  ...REVIEW_CASES,
  ...SERVER_CASES,
  one('help', { args: ['exec', '--help'] }, { onlyCode: true }),
];
