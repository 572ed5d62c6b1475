import { type Case, STREAM, say, tool } from '../case.js';

/** What cannot be written as text. */
const MAKE = [
  "printf 'one\\0two\\n' > nul.txt",
  "printf 'a\\351b\\n' > latin.txt",
  "printf '\\377\\376o\\0n\\0e\\0' > wide.txt",
  "printf '\\357\\273\\277one\\n' > bom.txt",
  "printf 'one\\r\\ntwo\\r\\n' > crlf.txt",
  "printf 'say \\342\\200\\234q\\342\\200\\235\\n' > curly.txt",
  'mkdir folder; ln -s a.txt link.txt',
].join('; ');
const SHOW =
  'for f in *.txt *.ipynb sub/*; do echo "$f: $(od -An -c "$f" | tr -s " " | head -4 | tr -d "\\n")"; done 2>/dev/null';
const files = {
  'a.txt': 'one\ntwo\nthree\ntwo\n',
  'bare.txt': 'one',
  'empty.txt': '',
  'tabs.txt': '\tone\n\t\ttwo  \n',
  'book.ipynb': { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 },
};
const writes = (name: string, calls: [string, Record<string, unknown>][]): Case => ({
  name: `writing: ${name}`,
  args: [...STREAM, 'go', '--permission-mode', 'bypassPermissions'],
  env: { IS_SANDBOX: '1' },
  files,
  turns: [
    [
      tool('Bash', { command: MAKE }),
      ...calls.map(([toolName, input]) => tool(toolName, input)),
      tool('Bash', { command: SHOW }),
      say('done'),
    ],
  ],
});
const read = (file_path: string): [string, Record<string, unknown>] => ['Read', { file_path }];
const write = (file_path: string, content: unknown): [string, Record<string, unknown>] => [
  'Write',
  { file_path, content },
];
const edit = (
  file_path: string,
  old_string: string,
  new_string: string,
  more = {},
): [string, Record<string, unknown>] => ['Edit', { file_path, old_string, new_string, ...more }];

/** What the tools that write make of files of all kinds. */
export const WRITING_CASES: readonly Case[] = [
  writes('encodings', [
    ...['nul.txt', 'latin.txt', 'wide.txt', 'bom.txt', 'crlf.txt'].flatMap((name) => [
      read(name),
      edit(name, 'o', '0'),
    ]),
  ]),
  writes('over encodings', [
    ...['nul.txt', 'latin.txt', 'wide.txt', 'bom.txt', 'crlf.txt'].flatMap((name) => [
      read(name),
      write(name, 'new\nline\n'),
    ]),
  ]),
  writes('places', [
    write('new.txt', 'x'),
    write('sub/deep/new.txt', 'x'),
    write('folder', 'x'),
    write('a.txt/x', 'x'),
    write('link.txt', 'through\n'),
    write('empty.txt', ''),
    write('book.ipynb', '{}'),
    write('', 'x'),
    write('other.txt', 5),
  ]),
  writes('edits', [
    read('a.txt'),
    edit('a.txt', 'two', '2'),
    edit('a.txt', 'two', '2', { replace_all: true }),
    edit('a.txt', 'none', 'x'),
    edit('a.txt', 'one', 'one'),
    edit('a.txt', '', 'x'),
    edit('a.txt', 'one\n2', 'a\nb\nc'),
    edit('a.txt', 'three\n', ''),
    edit('empty.txt', '', 'filled\n'),
    edit('sub/made.txt', '', 'made\n'),
    edit('folder', 'a', 'b'),
    edit('book.ipynb', 'a', 'b'),
    edit('none.txt', 'a', 'b'),
    edit('link.txt', 'a', 'A'),
  ]),
  writes('edits of what is written otherwise', [
    read('curly.txt'),
    edit('curly.txt', 'say "q"', 'say "r"'),
    read('tabs.txt'),
    edit('tabs.txt', '  one', 'ONE'),
    edit('tabs.txt', 'two\n', 'TWO\n'),
    edit('tabs.txt', 'two  ', 'TWO  '),
    read('crlf.txt'),
    edit('crlf.txt', 'one\ntwo', 'eins\nzwei'),
    edit('crlf.txt', 'zwei\r\n', 'ZWEI\r\n'),
    read('bare.txt'),
    edit('bare.txt', 'one', 'one\ntwo'),
    edit('bare.txt', 'two', '$1 $& \\n'),
  ]),
];
