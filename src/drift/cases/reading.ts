import { type Case, STREAM, say, tool } from '../case.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      id: 'c1',
      metadata: {},
      execution_count: 1,
      source: 'print(1)',
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
    },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};
const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'bare.txt': 'one\ntwo',
  'empty.txt': '',
  'blank.txt': '\n',
  'space.txt': '   \n\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'old.txt': 'one\rtwo\r',
  'bom.txt': '\uFEFFone\n',
  'tabs.txt': '\tone\n  two  \n',
  'letters.txt': 'äöü €\u2028line\n',
  'nul.txt': 'one\0two\n',
  'book.ipynb': NOTEBOOK,
  'data.json': { a: 1 },
  'tool.exe': 'MZ',
  'archive.zip': 'PK',
  'paper.pdf': '%PDF-1.4\n',
  'broken.png': 'no image',
  'song.mp3': 'ID3',
};
/** What cannot be written as text. */
const MAKE = [
  `echo ${PIXEL} | base64 -d > pixel.png`,
  'cp pixel.png pixel.txt',
  "printf '\\377\\376o\\0n\\0' > wide.txt",
  "printf 'a\\351b\\n' > latin.txt",
  'seq 1 3000 > many.txt',
  "head -c 3000 /dev/zero | tr '\\0' x > long.txt",
  "head -c 300000 /dev/zero | tr '\\0' x > big.txt",
  'seq 1 60000 > large.txt',
  'ln -s a.txt link.txt && mkdir folder',
].join('; ');
const reads = (name: string, inputs: Record<string, unknown>[]): Case => ({
  name: `reading: ${name}`,
  args: [...STREAM, 'go', '--permission-mode', 'bypassPermissions'],
  env: { IS_SANDBOX: '1' },
  files,
  turns: [[tool('Bash', { command: MAKE }), ...inputs.map((input) => tool('Read', input)), say('done')]],
});
const each = (names: string[]) => names.map((file_path) => ({ file_path }));

/** What the tool that reads shows of files of all kinds. */
export const READING_CASES: readonly Case[] = [
  reads('texts', each(['a.txt', 'bare.txt', 'empty.txt', 'blank.txt', 'space.txt', 'crlf.txt', 'old.txt', 'bom.txt'])),
  reads('letters', each(['tabs.txt', 'letters.txt', 'nul.txt', 'latin.txt', 'wide.txt', 'data.json'])),
  reads('other kinds', each(['tool.exe', 'archive.zip', 'broken.png', 'song.mp3', 'pixel.txt', 'link.txt', 'folder'])),
  reads('an image', each(['pixel.png'])),
  reads('a notebook', each(['book.ipynb'])),
  reads('a paper', each(['paper.pdf'])),
  reads('much', each(['many.txt', 'long.txt', 'big.txt', 'large.txt'])),
  reads(
    'parts',
    [
      ...[{ offset: 0 }, { offset: -1 }, { offset: 4 }, { offset: 5 }, { offset: 100 }, { limit: 0 }, { limit: -1 }],
      ...[{ offset: 1.5 }, { offset: 2, limit: 100 }, { limit: 1 }, { pages: '1' }, { pages: 'x' }],
    ].map((more) => ({ file_path: 'a.txt', ...more })),
  ),
  reads('parts of much', [
    { file_path: 'many.txt', offset: 2500 },
    { file_path: 'many.txt', offset: 1999, limit: 3 },
    { file_path: 'large.txt', offset: 100, limit: 2 },
    { file_path: 'large.txt', limit: 20000 },
    { file_path: 'big.txt', limit: 1 },
  ]),
  reads('again', each(['a.txt', 'a.txt', './a.txt', 'link.txt', 'empty.txt', 'empty.txt'])),
];
