import { type Case, STREAM, say, tool } from '../case.js';

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.md': 'One two\n\n-x marks\nthree (3)\n',
  'sub/c.ts': 'const two = 2;\nconst three = 3;\n// end\n',
  'sub/deep/d.js': 'let one = 1;\n',
  'sub/e.tsx': 'two();\n',
  '.hidden': 'two\n',
  '.dir/f.txt': 'two\n',
  'ignored.log': 'two\n',
  'node_modules/p/index.js': 'two\n',
  '.gitignore': 'ignored.log\nnode_modules/\n',
  'long.txt': `two ${'x'.repeat(600)}\n`,
  'crlf.txt': 'one\r\ntwo\r\n',
  'empty.txt': '',
};
/** The order of the files by their times must be known. */
const SETTLE = `i=10; for f in ${Object.keys(files).join(' ')}; do i=$((i+1)); touch -d "2026-01-01 00:00:$i" $f; done`;
const TOOLS = ['--tools', 'Glob,Grep,Read,Bash', '--permission-mode', 'bypassPermissions'];
const searches = (name: string, toolName: string, inputs: Record<string, unknown>[], first = SETTLE): Case => ({
  name: `search: ${name}`,
  args: [...STREAM, 'go', ...TOOLS],
  env: { IS_SANDBOX: '1' },
  files,
  turns: [[tool('Bash', { command: first }), ...inputs.map((input) => tool(toolName, input)), say('done')]],
});
const globs = (name: string, patterns: string[]): Case =>
  searches(
    `files by ${name}`,
    'Glob',
    patterns.map((pattern) => ({ pattern })),
  );
const lines = (name: string, inputs: Record<string, unknown>[]): Case =>
  searches(
    `lines ${name}`,
    'Grep',
    inputs.map((input) => ({ pattern: 'two', ...input })),
  );

/** What the tools that search find. */
export const SEARCH_CASES: readonly Case[] = [
  globs('their ending', ['*.txt', '*.TXT', '**/*.txt', '*.{ts,tsx}', '**/*.{js,md}', '*.[jt]s']),
  globs('a folder', ['sub/*.ts', 'sub/**', 'sub', 'sub/', './a.txt', '*/deep/*', '**/deep/**', 'sub/*/*.js']),
  globs('any name', ['*', '**', '**/*', '?.txt', '[!a]*.txt', 'a.*', '.*', '**/.*', '.dir/*']),
  globs('nothing', ['', 'none', '**/none/*', '!*.txt', '[', '{a', 'a}', '!sub', '[]', '[]]', 'a\\.txt']),
  searches('files in a place', 'Glob', [
    { pattern: '*.ts', path: 'sub' },
    { pattern: '**/*', path: 'sub/deep' },
    { pattern: '*', path: 'none' },
    { pattern: '*', path: 'a.txt' },
    { pattern: '*', path: '.' },
  ]),
  searches(
    'files that git ignores',
    'Glob',
    [
      { pattern: '*.txt' },
      { pattern: 'HEAD' },
      { pattern: '*.log' },
      { pattern: '**/*.js' },
      { pattern: '*', path: 'node_modules' },
    ],
    `git init -q . && ${SETTLE}`,
  ),
  searches(
    'lines that git ignores',
    'Grep',
    [
      { pattern: 'two' },
      { pattern: 'two', path: 'ignored.log' },
      { pattern: 'two', path: 'node_modules' },
      { pattern: 'two', glob: '*.log' },
      { pattern: 'ref' },
    ],
    `git init -q . && ${SETTLE}`,
  ),
  lines('in their ways', [
    {},
    { output_mode: 'content', path: 'sub/c.ts' },
    { output_mode: 'content', path: 'sub/deep', pattern: 'one' },
    { output_mode: 'content', pattern: 'mark' },
    { output_mode: 'content', path: 'long.txt' },
    { output_mode: 'content', path: 'crlf.txt' },
    { output_mode: 'count', path: 'a.txt' },
    { output_mode: 'count', pattern: 'mark' },
    { output_mode: 'count', pattern: 't', path: 'a.txt' },
    { output_mode: 'files_with_matches', pattern: 'mark' },
    { output_mode: 'files_with_matches', path: 'a.txt' },
    { output_mode: 'wrong' },
    { '-i': 'yes' },
    { more: 1 },
  ]),
  lines('with what is around', [
    { output_mode: 'content', '-A': 1, path: 'a.txt' },
    { output_mode: 'content', '-B': 1, path: 'a.txt' },
    { output_mode: 'content', '-C': 1, pattern: 'let' },
    { output_mode: 'content', '-C': 1, '-A': 0, pattern: 'const three' },
    { output_mode: 'content', context: 1, pattern: 'const three' },
    { output_mode: 'content', '-A': 1, pattern: 'One|three \\(' },
    { output_mode: 'content', '-n': false, pattern: 'const three', '-A': 1 },
    { output_mode: 'content', '-n': true, path: 'a.txt' },
    { output_mode: 'content', '-o': true, pattern: 'con.t', path: 'sub/c.ts' },
    { '-A': 1, path: 'a.txt' },
  ]),
  lines('in some files', [
    ...['*.ts', '*.{ts,tsx}', '*.ts,*.md', '*.ts *.md', 'sub/**', 'sub', '!*.txt', '**/*.md', './a.txt', '['].map(
      (glob) => ({
        glob,
      }),
    ),
    ...['ts', 'js', 'md', 'txt', 'py', 'wrong', ''].map((type) => ({ type })),
    ...['a.txt', 'sub/deep', 'none', './sub', '', 'empty.txt'].map((path) => ({ path })),
    { type: 'ts', glob: '*.tsx' },
  ]),
  lines('up to a number', [
    { head_limit: 1 },
    { head_limit: 0 },
    { head_limit: 2, pattern: 't', path: 'a.txt', output_mode: 'content' },
    { head_limit: 2, pattern: 'o', path: 'a.txt', output_mode: 'content' },
    { head_limit: 1, output_mode: 'count', path: 'a.txt' },
    { head_limit: 1, offset: 1 },
    { offset: 20 },
    { offset: 20, path: 'a.txt', output_mode: 'content' },
    { offset: 1, path: 'a.txt', output_mode: 'count' },
    { head_limit: 1, pattern: 'e', path: 'a.txt', output_mode: 'content' },
    { head_limit: 1, offset: 1, pattern: 'e', path: 'sub/c.ts', output_mode: 'content', '-C': 1 },
    { offset: 1, pattern: 'o', path: 'a.txt', output_mode: 'content' },
    { offset: 1, head_limit: 1, pattern: 'e', path: 'a.txt', output_mode: 'content' },
  ]),
  lines('by patterns', [
    { pattern: 'ONE' },
    { pattern: 'ONE', '-i': true },
    { pattern: '^t.*e$', output_mode: 'content' },
    { pattern: '-x', output_mode: 'content' },
    { pattern: '(', output_mode: 'content' },
    { pattern: '\\(3\\)', output_mode: 'content' },
    { pattern: '\\btwo\\b', output_mode: 'count', path: 'a.txt' },
    { pattern: 'one\\ntwo', output_mode: 'content' },
    { pattern: 'one\\ntwo', output_mode: 'content', multiline: true },
    { pattern: 'one.*three', output_mode: 'content', multiline: true },
    { pattern: 'one\\ntwo', multiline: true },
    { pattern: 'one\\ntwo', output_mode: 'count', multiline: true },
    { pattern: '' },
    { pattern: '^$', output_mode: 'count', path: 'b.md' },
    { pattern: 'zzz' },
    { pattern: 'zzz', output_mode: 'content' },
    { pattern: 'zzz', output_mode: 'count' },
    { pattern: '[[:alpha:]]+ marks?', output_mode: 'content' },
    { pattern: '(?i)ONE TWO', output_mode: 'content' },
    { pattern: '\\d;', output_mode: 'count', path: 'sub/c.ts' },
    { pattern: 'a{2' },
    { pattern: '(?=two)' },
    { pattern: '(one)\\1' },
    ...['interface{}', '*a', 'a)', '[a', 'a**', '\\\\', 'a|*b', '\\p{Greek}', '\\w+;', 'a\\'].map((pattern) => ({
      pattern,
    })),
  ]),
];
