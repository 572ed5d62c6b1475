import { type Call, chain, contains, json, stream, text, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

/** Gemini CLI takes a text that repeats itself for a loop. */
const numbers = (count: number, end: string): string =>
  Array.from({ length: count }, (_, index) => `${index}${end}`).join('');

const FILES = {
  'a.txt': 'one\ntwo\n',
  'b.md': '\n  # Title\n\ntext\n\n',
  'sub/c.txt': 'c\n',
  'sub/.hidden': 'h\n',
  'sub/deep/d.ts': 'd\n',
  'my file.txt': 'mine\n',
};

/** Folders and files that are left out of a folder. */
const EXCLUDED = {
  'all/a.js': 'a\n',
  'all/dist/out.js': 'out\n',
  'all/node_modules/x/i.js': 'i\n',
  'all/x.zip': 'zip\n',
  'all/.env': 'SECRET=1\n',
  'all/pic.png': 'png\n',
};

const CONTEXTS = {
  ...{
    'GEMINI.md': '# Root\n',
    'sub/GEMINI.md': '# Sub\n',
    'sub/deep/GEMINI.md': '\n# Deep\n',
    'all/GEMINI.md': '# All\n',
  },
  ...{ 'all/a.js': 'a\n', 'all/b/c.js': 'c\n', 'all/b/GEMINI.md': '# B\n', 'empty/GEMINI.md': '\n' },
};

const COMING: readonly Call[] = [
  ['read', { path: 'sub/deep/d.ts' }],
  ['read', { path: 'sub/c.txt' }],
  ['list_directory', { dir_path: 'all' }],
  ['write', { path: 'all/b/new.js', content: 'x' }],
  ['edit', { path: 'all/b/c.js', old: 'c', new: 'd' }],
];

const IGNORING: readonly Call[] = [
  ['list_directory', { dir_path: '.' }],
  ['list_directory', { dir_path: 'in' }],
  ['list_directory', { dir_path: 'in/yes.txt' }],
  ['list_directory', { dir_path: 'none' }],
  ['list_directory', { dir_path: '.git' }],
  ['glob', { pattern: '**/*.log' }],
  ['glob', { pattern: 'in/X.LOG' }],
  ['glob', { pattern: 'IN/Y*' }],
  ['glob', { pattern: 'in/Y*', case_sensitive: true }],
  ['glob', { pattern: '*.txt', dir_path: 'in' }],
  ['read', { path: 'in/x.log' }],
  ['read', { path: '.env' }],
  ['write', { path: 'in/x.log', content: 'new' }],
  ['edit', { path: 'in/x.log', old: 'new', new: 'newer' }],
];

const LONG: readonly Call[] = [
  ['read', { path: 'long.txt' }],
  ['read', { path: 'line.txt' }],
  ['read', { path: 'nul.txt' }],
  ['read', { path: 'b.zip' }],
  ['read', { path: 'huge.txt' }],
  ['read', { path: 'empty.txt' }],
  ['read', { path: 'crlf.txt' }],
  ['read', { path: 'pic.svg' }],
  ['edit', { path: 'short.txt', old: '\n20\n', new: '\ntwenty\n' }],
  ['edit', { path: 'crlf.txt', old: 'a\nb', new: 'a\nB\nc' }],
  ['write', { path: 'dos.txt', content: 'x\ny\n' }],
  ['edit', { path: 'lines.txt', old: '1', new: 'one\n', all: true }],
  ['write', { path: 'short.txt', content: numbers(30, '!\n') }],
  ['write', { path: 'short.txt', content: `${numbers(30, '!\n')}end\n` }],
];

const PICTURES = {
  ...{ 'pic.png': 'png', 'b.jpg': 'b', 'c.jpeg': 'c', 'd.gif': 'd', 'e.webp': 'e', 'f.bmp': 'f', 'g.pdf': 'g' },
};

const UNUSUAL = {
  ...{
    'long.txt': numbers(2500, '\n'),
    'line.txt': `a\n${numbers(1000, ' ')}\n`,
    'nul.txt': 'a\0b\u0001',
    'b.zip': 'b',
  },
  ...{ 'huge.txt': 'x'.repeat(21 * 2 ** 20), 'empty.txt': '', 'crlf.txt': '\uFEFFa\r\nb\r\n', 'pic.svg': '<svg/>' },
  ...{ 'short.txt': numbers(40, '\n'), 'dos.txt': 'a\r\nb\r\n', 'lines.txt': numbers(40, '\n') },
};

const IGNORED = {
  '.gitignore': '/in/no/\n*.log\n!in/keep.log\n',
  'in/.gitignore': 'local\n/top\n',
  '.geminiignore': 'in/secret*\n',
  'in/no/a.txt': 'a\n',
  'in/x.log': 'x\n',
  'in/keep.log': 'keep\n',
  'in/deep/local': 'l\n',
  'in/deep/top': 'deep top\n',
  'in/top': 't\n',
  'in/secret.txt': 's\n',
  'in/yes.txt': 'yes\n',
};

const playing = (calls: readonly Call[]) => ({ responses: [{ pattern: contains('go'), response: chain(calls) }] });

const SCENARIO = {
  responses: [
    {
      pattern: contains('said'),
      response: '<{{prompt}}>',
      turns: [{ expect: contains('again'), response: '<{{prompt}}>' }],
    },
    // Texts with paths are longer on other machines.
    { pattern: contains('path'), response: { text: '<{{prompt}}>', usage } },
    { pattern: contains('quiet'), response: 'Read.' },
  ],
};

const one = (name: string, run: ScriptedRun, more: Partial<ScriptedCase> = {}): ScriptedCase => ({
  ...{ name, runs: [run], scenario: SCENARIO, files: FILES },
  ...more,
});
const asks = (name: string, prompt: string, files: Record<string, string> = {}, more: Partial<ScriptedCase> = {}) =>
  one(name, stream('-p', prompt), { files: { ...FILES, ...files }, ...more });

/** Files in a prompt, behind an @. */
export const GEMINI_FILE_CASES: readonly ScriptedCase[] = [
  asks('a file in the prompt', 'said @a.txt please'),
  one('a file in the prompt, as text', text('-p', 'said @a.txt')),
  one('a file in the prompt, as a document', json('-p', 'said @a.txt')),
  asks('several files in the prompt', 'said @a.txt, @sub/c.txt (@b.md) and @a.txt.'),
  asks('a file that is missing', 'said @none.txt and me@example.com'),
  asks('a file that is missing beside one that is there', 'said @none.txt @a.txt'),
  asks('a part of a file name', 'said @c.tx'),
  asks('a file by its name only', 'said @d.ts'),
  asks('a folder in the prompt', 'said @sub'),
  asks('a folder with a slash', 'said @sub/ and @sub/deep'),
  asks('a folder with files that are left out', 'said @all', EXCLUDED),
  asks('files that are left out', 'said @all/dist/out.js @all/.env @all/x.zip', EXCLUDED),
  one('folders with a context of their own', text('-p', 'path @sub'), { files: { ...FILES, ...CONTEXTS } }),
  one('tools that come to folders with a context', text('-p', 'go'), {
    ...{
      files: { ...FILES, ...CONTEXTS },
      scenario: playing(COMING),
    },
  }),
  asks('a folder with nothing to read', 'said @none', { 'none/x.zip': 'zip' }),
  asks('the whole project', 'said @. and @./'),
  asks('other letters', 'said @A.TXT and @Sub/C.txt'),
  asks('a pattern in the prompt', 'said @*.md and @sub/**'),
  asks('a binary file', 'said @nul.txt @x.bin @b.dat', { 'nul.txt': 'a\0b\u0001', 'x.bin': 'x', 'b.dat': 'b' }),
  asks('pictures', 'said @pic.png @b.jpg @c.jpeg @d.gif @e.webp @f.bmp @g.pdf', PICTURES),
  asks('a picture in text', 'said @pic.svg', { 'pic.svg': '<svg/>\n' }),
  asks('a long file', 'quiet @long.txt', { 'long.txt': numbers(2500, '\n') }),
  asks('a long line', 'quiet @long.txt', { 'long.txt': `a\n${numbers(1000, ' ')}\nb\n` }),
  asks('a huge file', 'said @huge.txt', { 'huge.txt': 'x'.repeat(21 * 2 ** 20) }),
  asks('an empty file', 'said @empty.txt', { 'empty.txt': '' }),
  asks('line ends of another system', 'said @crlf.txt', { 'crlf.txt': '\uFEFFa\r\nb\r\n' }),
  one('a file outside', { ...text('-p', 'path @../a.txt and @/ROOT/work/a.txt'), folder: 'sub' }),
  one('a whole path', text('-p', 'path @/ROOT/work/a.txt and @/ROOT/work/sub')),
  one('a whole path of a file outside', text('-p', 'path @/ROOT/home/.gemini/settings.json')),
  asks('a file that git ignores', 'said @x.log @a.txt', { '.gitignore': '*.log\n', 'x.log': 'x\n' }, { git: true }),
  asks('a file that git would ignore', 'said @x.log', { '.gitignore': '*.log\n', 'x.log': 'x\n' }),
  asks('a file that is ignored', 'said @x.log', { '.geminiignore': '# no\n*.log\n', 'x.log': 'x\n' }),
  asks('a folder with ignored files', 'said @in', IGNORED, { git: true }),
  one('tools beside ignored files', stream('-p', 'go'), {
    ...{ files: { '.env': 'A=1', 'a.txt': 'a', 'B.txt': 'b', ...IGNORED }, git: true, scenario: playing(IGNORING) },
  }),
  one('tools and files that are no short text', stream('-p', 'go'), {
    ...{ files: UNUSUAL, scenario: playing(LONG), written: ['crlf.txt', 'dos.txt', 'lines.txt'] },
  }),
  asks('a space in a name', 'said @my\\ file.txt and \\@a.txt'),
  asks('a name in quotes', 'said @"my file.txt"'),
  asks('an @ alone', 'said @ and @, and a@'),
  asks('an agent in the prompt', 'said @codebase_investigator @generalist @cli_help @browser_agent @a.txt'),
  one('a file in a prompt from stdin', { ...stream(), input: 'said @a.txt\n' }),
  one('a file in what is piped in', { ...stream('-p', 'said'), input: 'see @a.txt\n' }),
  {
    name: 'a file in a later prompt',
    runs: [stream('-p', 'said @a.txt'), stream('-r', '{session}', '-p', 'again @b.md')],
    ...{ scenario: SCENARIO, files: FILES },
  },
];
