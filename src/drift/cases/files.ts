import { type Case, LIVING, RECORD_PAYLOAD, STREAM, say, tool, user } from '../case.js';

const SESSION = '66666666-6666-4666-8666-666666666666';
const OLDER = ['--model', 'claude-sonnet-4-5'];
const MAY = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'];
const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' };

const read = (fields: object = {}) => tool('Read', { file_path: 'a.txt', ...fields });
const write = (file = 'a.txt') => tool('Write', { file_path: file, content: 'one\n' });
const edit = (file = 'a.txt', before = 'one') =>
  tool('Edit', { file_path: file, old_string: before, new_string: before.toUpperCase() });
const change = (file = 'a.txt') => tool('Bash', { command: `sleep 0.1; echo one more > ${file}` });
const look = (...subagent: ReturnType<typeof tool>[]) => ({
  ...tool('Task', {
    description: 'look',
    prompt: 'look',
    subagent_type: 'general-purpose',
    run_in_background: false,
  }),
  subagent: [...subagent, say('found')],
});

const shell = (command: string) => tool('Bash', { command });
const KEEPS_PAYLOADS = {
  '.claude/settings.json': {
    hooks: Object.fromEntries(
      ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'].map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }],
      ]),
    ),
  },
};

/** What an agent knows of the files that it changes. */
export const FILE_CASES: readonly Case[] = [
  {
    name: 'the folder of the shell stays, unless it is outside or the command failed',
    args: [...LIVING, ...MAY],
    files: { ...KEEPS_PAYLOADS, 'sub/deep/x.txt': 'x\n', 'sub/a.txt': 'a\n' },
    turns: [
      [
        ...[
          shell('cd sub'),
          shell('pwd; pwd -P | wc -l'),
          read(),
          write('b.txt'),
          tool('Read', { file_path: 'no.txt' }),
        ],
        ...[shell('cd deep; false'), shell('pwd'), look(shell('pwd; cd deep'), shell('pwd')), shell('pwd')],
        say('one'),
      ],
      [shell('pwd'), shell('cd /tmp; pwd'), shell('pwd'), say('two')],
    ],
    talk: [user('go'), { until: 'result' }, user('again'), { until: 'result' }],
  },
  {
    name: 'a file that changes behind the back of the agent',
    args: [...STREAM, 'go', ...MAY],
    files: FILES,
    turns: [
      [
        ...[read(), change(), write(), edit('a.txt', 'two'), edit(), edit('a.txt', 'more')],
        ...[write('b.txt'), change('b.txt'), edit('b.txt'), read({ limit: 1 }), edit('a.txt', 'ONE')],
        say('done'),
      ],
    ],
  },
  {
    name: 'an older model must read a file first',
    args: [...STREAM, 'go', ...MAY, ...OLDER],
    files: FILES,
    turns: [
      [
        ...[write(), edit(), edit('a.txt', 'none'), edit('no.txt'), write('new.txt'), edit('new.txt')],
        ...[look(read(), edit()), edit(), read({ limit: 1 }), edit('a.txt', 'two')],
        ...['cat b.txt b.txt', 'cat b.txt | head -1'].map((command) => tool('Bash', { command })),
        ...[edit('b.txt'), tool('Bash', { command: 'head b.txt' }), edit('b.txt')],
        say('done'),
      ],
    ],
  },
  {
    name: 'files that a prompt mentions, and an earlier process wrote',
    args: [...LIVING, '--resume', SESSION, ...MAY, ...OLDER],
    files: FILES,
    before: [{ args: ['-p', 'before', '--session-id', SESSION, ...MAY], turns: [[write('new.txt'), say('one')]] }],
    turns: [
      [edit('new.txt'), edit(), say('two')],
      [edit('b.txt'), say('three')],
      [edit(), say('four')],
    ],
    talk: ['see @a.txt', 'see @b.txt#L1', 'go on'].flatMap((text) => [user(text), { until: 'result' }]),
  },
];
