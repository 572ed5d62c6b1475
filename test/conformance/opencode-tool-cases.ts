import { calling, JSON_RUN, type OpenCodeCase, TEXT_RUN } from './opencode-case.js';

type Call = [string, Record<string, unknown>];

const FILES = { 'a.txt': 'one\ntwo\ntwo é\n', 'src/b.txt': '  b\n  c\n', 'empty.txt': '', 'crlf.txt': 'a\r\nb\r\n' };

const bash = (command: string, more: object = {}): Call => ['bash', { command, ...more }];
const read = (filePath: string, more: object = {}): Call => ['read', { filePath, ...more }];
const edit = (filePath: string, oldString: string, newString: string, more: object = {}): Call => [
  'edit',
  { filePath, oldString, newString, ...more },
];

const CALLS: Record<string, Call[]> = {
  'tools: reading': [
    ...[read('a.txt'), read('a.txt', { offset: 2, limit: 1 }), read('src'), read('none.txt'), read('empty.txt')],
    ...[read('a.txt', { offset: 9 }), read('b.txt'), read('src/B.TX'), read('crlf.txt'), read('.')],
  ],
  'tools: long files': [read('long.txt'), read('wide.txt'), read('big.txt'), read('nul.txt'), read('x.zip')],
  'tools: writing': [
    ['write', { filePath: 'src/c.txt', content: 'x\n' }],
    ['write', { filePath: 'a.txt', content: 'x\n' }],
    bash('cat a.txt src/c.txt'),
  ],
  'tools: editing': [
    ...[
      edit('src/b.txt', 'b', 'B'),
      edit('none.txt', 'a', 'b'),
      edit('src/b.txt', 'c', 'c'),
      edit('new.txt', '', 'n\n'),
    ],
    ...[edit('a.txt', '', 'x'), edit('a.txt', 'two', '2'), edit('a.txt', 'two', '2', { replaceAll: true })],
    ...[
      edit('a.txt', 'nothing like it', 'x'),
      edit('src', 'a', 'b'),
      edit('crlf.txt', 'a\nb', 'c\nd'),
      bash('od -c crlf.txt'),
    ],
  ],
  'tools: commands': [
    ...[bash('true'), bash('ls nope'), bash('exit 7'), bash('pwd', { workdir: 'src' })],
    bash('echo a; sleep 9', { timeout: 300 }),
  ],
  'tools: a list of things to do': [
    [
      'todowrite',
      {
        todos: [
          { content: 'A', status: 'pending', priority: 'high' },
          { content: 'B', status: 'completed', priority: 'low' },
          { content: 'C', status: 'in_progress', priority: 'low' },
        ],
      },
    ],
  ],
  'tools: without arguments': [
    ['read', {}],
    ['bash', {}],
    ['nope', { a: 1 }],
  ],
};

const MORE: Record<string, string> = {
  'long.txt': 'line\n'.repeat(2100),
  'wide.txt': `${'w'.repeat(2500)}\nnext\n`,
  'big.txt': `${'b'.repeat(1000)}\n`.repeat(60),
  'nul.txt': 'a\0b\n',
  'x.zip': 'zip\n',
};

/** What the tools say, as events and as text. */
export const OPENCODE_TOOL_CASES: readonly OpenCodeCase[] = Object.entries(CALLS).flatMap(([name, calls]) => {
  const files = name === 'tools: long files' ? MORE : FILES;
  return [
    { name, args: [...JSON_RUN, 'hi'], git: true as const, files, ...calling(...calls) },
    { name: `${name}, as text`, args: [...TEXT_RUN, 'hi'], git: true as const, files, ...calling(...calls) },
  ];
});
