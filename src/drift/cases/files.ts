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
  {
    name: 'files that need approval even when edits are accepted',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits'],
    turns: [
      [
        ...['.git/config', '.claude/settings.json', '.claude/skills/x/SKILL.md', '.claude/hooks/x.sh', 'sub/.BASHRC'],
        ...['.claude/settings.local.json', 'sub/.claude/settings.json', '.claude/commands/x.md', '.claude/launch.json'],
        ...['.claude/agent-memory/a.md', '.config/git/config', '../.npmrc', 'plain.txt'],
      ].map((file) => write(file)),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'commands that change sensitive files',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(touch:*)'],
    files: FILES,
    turns: [
      [
        ...['touch .bashrc', 'echo a > .git/x', 'touch b.txt && touch .bashrc', 'cp a.txt .npmrc', 'cat .bashrc'],
        ...['touch .claude/settings.json', 'touch .claude/agent-memory/x', 'rm ../.profile', 'touch new.txt'],
      ].map(shell),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'a host is asked about a sensitive file',
    args: [...LIVING, '--permission-mode', 'acceptEdits', '--permission-prompt-tool', 'stdio'],
    talk: [user('go'), { until: 'result' }],
    hostAnswer: { behavior: 'allow' },
    turns: [[write('.bashrc'), write('.claude/settings.json'), say('done')]],
  },
  {
    name: 'a sensitive file that a rule allows',
    args: [...STREAM, 'go', '--allowedTools', 'Edit(.bashrc)', 'Edit(/.git/**)'],
    turns: [[write('.bashrc'), write('.git/config'), write('.zshrc'), say('done')]],
  },
  {
    name: 'paths that begin with the home',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits', '--add-dir', 'ROOT/home'],
    files: { 'HOME/a.txt': 'one\n' },
    turns: [
      [
        read({ file_path: '~/a.txt' }),
        edit('~/a.txt'),
        write('~/b.txt'),
        tool('Read', { file_path: '~' }),
        write('~x/b.txt'),
        say('done'),
      ],
    ],
  },
  {
    name: 'a file where a folder should be, and a folder where a file should be',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits'],
    files: { ...FILES, 'sub/a.txt': 'one\n' },
    turns: [
      [
        write('a.txt/x'),
        read({ file_path: 'a.txt/x' }),
        edit('a.txt/x'),
        write('sub'),
        edit('sub'),
        write('sub/'),
        say('done'),
      ],
    ],
  },
];
