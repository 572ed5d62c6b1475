import { type Call, chain, contains, json, stream, text, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const plain = (...args: string[]): ScriptedRun => ({ args: ['-o', 'stream-json', ...args, '-p', 'go'] });
const playing = (calls: readonly Call[]): object => ({
  responses: [
    { pattern: contains('said'), response: { text: '<{{prompt}}>', usage } },
    { pattern: { type: 'any' }, response: chain(calls) },
  ],
});

const FILES = {
  'home/a.txt': 'a one\n',
  'more/b.txt': 'b one\n',
  'more/GEMINI.md': '# More\n',
  'more/sub/GEMINI.md': '# Sub\n',
  'more/sub/c.txt': 'c one\n',
  'more/dist/out.txt': 'out one\n',
  'third/d.txt': 'd one\n',
  'other/e.txt': 'e\n',
};

const inside = (run: ScriptedRun): ScriptedRun => ({ ...run, folder: 'home' });
const including = (name: string, calls: readonly Call[], ...args: string[]): ScriptedCase => ({
  ...{ name, runs: [inside(stream('--include-directories', ...args, '-p', 'go'))] },
  ...{ scenario: playing(calls), files: FILES },
});

const READING: readonly Call[] = [
  ['read', { path: '../more/b.txt' }],
  ['read', { path: '../more/sub/c.txt' }],
  ['read', { path: '../other/e.txt' }],
  ['list_directory', { dir_path: '../more' }],
  ['glob', { pattern: '**/b.*' }],
  ['glob', { pattern: '*.zip' }],
  ['glob', { pattern: '*.txt', dir_path: '../more' }],
];

const SEARCHING: readonly Call[] = [
  ['grep', { pattern: 'b o' }],
  ['grep', { pattern: 'qqq' }],
  ['grep', { pattern: 'one', include: 'b*' }],
  ['grep', { pattern: 'b', path: '../more' }],
];

const CHANGING: readonly Call[] = [
  ['write', { path: '../more/new.txt', content: 'n\n' }],
  ['edit', { path: '../more/b.txt', old: 'b', new: 'B' }],
  ['write', { path: '../other/new.txt', content: 'n\n' }],
  ['run_shell_command', { command: 'cat b.txt', dir_path: '../more' }],
  ['run_shell_command', { command: 'cat e.txt', dir_path: '../other' }],
];

const SHELL: readonly Call[] = [
  ['shell', { command: 'echo one' }],
  ['shell', { command: 'printf two' }],
  ['shell', { command: 'echo three; printf four' }],
];

const CHECKED: readonly Call[] = [
  ['shell', { command: 'echo "a > b"' }],
  ['shell', { command: 'echo a > x.txt' }],
  ['shell', { command: 'echo a 2>&1 | cat' }],
  ['shell', { command: 'X=1 echo a' }],
  ['shell', { command: 'echo $(printf sub)' }],
  ['shell', { command: 'ln -s a b' }],
  ['shell', { command: 'rm -f none.txt' }],
  ['shell', { command: 'find . -delete' }],
  ['run_shell_command', { command: 'echo up', dir_path: '..' }],
];

const SUBSTITUTING: readonly Call[] = [
  ...[
    'echo $(printf a)',
    'echo `printf a`',
    'echo "$(printf a)"',
    'echo "`printf a`"',
    "echo '$(printf a) `'",
    'echo "\\$(printf a)"',
    'echo "it\'s" $HOME_NONE',
    'echo $((1+2))',
    'cat <(printf a)',
    "bash -c 'echo $(printf a)'",
    'sh -c "echo a"',
    "cat <<'E'\n$(printf a)\nE\n",
  ].map((command): Call => ['shell', { command }]),
];

const IGNORING: readonly Call[] = [
  ['grep', { pattern: 'ONE' }],
  ['grep', { pattern: 'o.e$', include: '*.txt' }],
  ['grep', { pattern: 'one', names_only: true }],
  ['grep', { pattern: 'one', exclude_pattern: 'a' }],
  ['grep', { pattern: 'one', total_max_matches: 2 }],
  ['grep', { pattern: 'many' }],
  ['grep', { pattern: 'one', path: 'sub' }],
  ['grep', { pattern: 'one', path: 'none' }],
  ['grep', { pattern: 'one', path: 'a.txt' }],
  ['grep', { pattern: '(' }],
];

const SEARCHED = {
  ...{ '.gitignore': '*.log\n', 'a.txt': 'a one\nA ONE\n', 'b.txt': 'b one\n', 'c.log': 'c one\n' },
  ...{ 'sub/d.txt': 'd one\n', 'node_modules/e.txt': 'e one\n', 'f.many': 'many\n'.repeat(120) },
};

const PREFIXED: readonly Call[] = [
  ['shell', { command: 'echo' }],
  ['shell', { command: 'echoo a' }],
  ['shell', { command: 'echo "a" && echo b | cat' }],
  ['shell', { command: 'echo a | echo b' }],
  ['shell', { command: 'echo a > x.txt' }],
  ['shell', { command: 'X=1 echo a' }],
  ['shell', { command: ' echo a' }],
  ['shell', { command: "echo 'a; b' && echo c; cat x.txt" }],
  ['shell', { command: 'echo a\necho b' }],
];

const BUILDING: readonly Call[] = [
  ['write', { path: 'package.json', content: '{}' }],
  ['write', { path: 'sub/Dockerfile.dev', content: 'FROM x\n' }],
  ['edit', { path: 'Makefile', old: 'a', new: 'b' }],
  ['write', { path: 'x.mk', content: 'x' }],
  ['write', { path: 'Package.json', content: '{}' }],
];

const PLANNING: readonly Call[] = [
  ['write', { path: 'plan.md', content: 'p' }],
  ['write_file', { file_path: 'plan.md', content: 'p\n' }],
  ['replace', { file_path: 'plan.md', old_string: 'p', new_string: 'q', instruction: 'i' }],
  ['write_file', { file_path: 'plan.txt', content: 'p' }],
];

const WRITING: readonly Call[] = [
  ['write', { path: 'x.txt', content: 'x\n' }],
  ['edit', { path: 'x.txt', old: 'x', new: 'y' }],
];

const OFFERING = 'web_fetch,write_todos,activate_skill,list_background_processes,exit_plan_mode,write_file(x),ask_user';

const allowing = (name: string, calls: readonly Call[], ...args: string[]): ScriptedCase => ({
  ...{ name, runs: [plain(...args)], scenario: playing(calls), files: { Makefile: 'a\n' } },
});

/** Flags that widen what the agent may do. */
export const GEMINI_FLAG_CASES: readonly ScriptedCase[] = [
  including('another folder to read', READING, '../more'),
  including('another folder to search', SEARCHING, '../more'),
  { ...including('another folder to change', CHANGING, '../more'), written: ['more/new.txt', 'more/b.txt'] },
  including('several other folders', READING, '../more,../third', '--include-directories', '/ROOT/work/other'),
  including('another folder that is missing', READING.slice(0, 1), '../none'),
  including('another folder that is a file', READING.slice(0, 1), '../more/b.txt'),
  {
    ...{ name: 'files of another folder in the prompt', scenario: playing([]), files: FILES },
    runs: [
      inside(text('--include-directories', '../more', '-p', 'said @b.txt and @sub/c.txt')),
      inside(text('--include-directories', '../more', '-p', 'said @../more/b.txt')),
      inside(text('--include-directories', '../more', '-p', 'said @/ROOT/work/more/sub and @dist')),
      inside(text('--include-directories', '../more', '-p', 'said @c.t')),
    ],
  },
  allowing('an allowed tool', SHELL, '--allowed-tools', 'run_shell_command'),
  allowing('an allowed tool by its other name', SHELL, '--allowed-tools', 'ShellTool'),
  allowing('an allowed command', SHELL, '--allowed-tools', 'run_shell_command(echo)'),
  allowing('allowed commands', SHELL, '--allowed-tools', 'run_shell_command(echo),ShellTool(printf)'),
  allowing('allowed tools', WRITING, '--allowed-tools', 'write_file', '--allowed-tools=replace'),
  allowing('allowed tools, as in a list', WRITING, '--allowed-tools', 'write_file, replace'),
  allowing('an allowed tool that is unknown', [['glob', { pattern: '*' }]], '--allowed-tools', 'nonsense'),
  allowing('a command that is not among the allowed ones', SHELL, '-y', '--allowed-tools', 'run_shell_command(printf)'),
  allowing('an allowed tool in a plan', WRITING, '--approval-mode', 'plan', '--allowed-tools', 'write_file'),
  allowing('an allowed tool beside edits', SHELL, '--approval-mode=auto_edit', '--allowed-tools', 'run_shell_command'),
  allowing('a tool that is not allowed', WRITING, '--allowed-tools', 'run_shell_command'),
  allowing('an allowed tool and commands that are looked at', CHECKED, '--allowed-tools', 'run_shell_command'),
  allowing(
    'an allowed tool beside edits, looked at',
    CHECKED.slice(0, 7),
    '--approval-mode=auto_edit',
    '--allowed-tools',
    'ShellTool',
  ),
  allowing('an allowed command and others', PREFIXED, '--allowed-tools', 'run_shell_command(echo)'),
  allowing('an allowed command and others, all approved', PREFIXED, '-y', '--allowed-tools', 'run_shell_command(echo)'),
  allowing('tools that an allowance offers', [['Task', { prompt: 'x' }]], '--allowed-tools', OFFERING),
  allowing(
    'tools that an allowance offers in a plan',
    [['Task', { prompt: 'x' }]],
    '--approval-mode=plan',
    '--allowed-tools',
    OFFERING,
  ),
  allowing('files that a build reads', BUILDING, '-y'),
  allowing('files that a build reads, without approval', BUILDING, '--approval-mode=auto_edit'),
  allowing('commands with commands in them', SUBSTITUTING, '-y'),
  { ...allowing('a search in a repository', IGNORING, '-y'), files: SEARCHED, git: true },
  allowing('files of a plan', PLANNING, '--approval-mode=plan'),
  {
    ...allowing('decisions, as a document', CHECKED, '--allowed-tools', 'run_shell_command'),
    runs: [{ args: ['-o', 'json', '--allowed-tools', 'run_shell_command', '-p', 'go'] }],
  },
  {
    ...{ name: 'allowed tools, as text and as a document', scenario: playing(SHELL), files: {} },
    runs: [
      { args: ['--allowed-tools', 'run_shell_command(echo)', '-p', 'go'] },
      { ...json('--allowed-tools', 'run_shell_command(echo)', '-p', 'go') },
    ],
  },
];
