import { type Case, RECORD_PAYLOAD, STREAM, type Step, say, tool } from '../case.js';
import { agent, BEFORE, SESSION } from './parts.js';

const files = {
  'a.txt': 'alpha\n',
  'b.txt': 'beta\n',
  'dir/one.txt': '1\n',
  'one/only.txt': 'x\n',
  'dir/two/three.txt': '3\n',
  'many.txt': 'l1\nl2\nl3\nl4\n',
  'with space.txt': 'spaced\n',
  'tool.exe': 'MZ',
};
const mention = (prompt: string, more: Case['files'] = {}): Case => ({
  name: `shown: ${prompt}`,
  args: [...STREAM, prompt],
  files: { ...files, ...more },
  turns: [[say('done')]],
});
const memory = (name: string, more: Case['files'], args: string[] = []): Case => ({
  ...mention('hi', more),
  name: `shown: instructions ${name}`,
  args: [...STREAM, 'hi', ...args],
});
const ALL = {
  'HOME/.claude/CLAUDE.md': 'user words @more.md @~/.claude/own.md\n',
  'HOME/.claude/more.md': 'user more\n',
  'HOME/.claude/own.md': 'user own\n',
  'CLAUDE.md': 'project words\n',
  'CLAUDE.local.md': 'local words\n',
  '.claude/CLAUDE.md': 'dot words\n',
  '.claude/rules/b.md': 'rule b\n',
  '.claude/rules/a.md': 'rule a\n',
  '.claude/rules/deep/c.md': 'rule c\n',
  '.claude/rules/ts.md': '---\npaths: "**/*.ts"\n---\nrule of ts\n',
};
/** One file for each: with more of them, chance decides who writes first. */
const hook = (matcher: string) => ({
  hooks: { InstructionsLoaded: [{ matcher, hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }] },
});
const BODY =
  '---\ntitle: x\n---\n\n# Head\n\n<!-- a comment -->\ntext <!-- inline --> more\n`@a.txt` and\n```\n@b.txt\n```\n';

/** Instructions that count once the agent works with certain files. */
const LATER = {
  'CLAUDE.md': 'project words\n',
  'pkg/CLAUDE.md': 'words of pkg, see @more.md\n',
  'pkg/more.md': 'more of pkg\n',
  'pkg/CLAUDE.local.md': 'own words of pkg\n',
  'pkg/.claude/CLAUDE.md': 'dot words of pkg\n',
  'pkg/.claude/rules/here.md': 'rule of pkg\n',
  'pkg/.claude/rules/js.md': '---\npaths: "*.js"\n---\nrule of js in pkg\n',
  'pkg/deep/CLAUDE.md': 'words of deep\n',
  'pkg/deep/a.js': 'a\n',
  'pkg/b.js': 'b\n',
  'src/a.ts': 'a\n',
  'src/b.py': 'b\n',
  '.claude/rules/ts.md': '---\npaths: "**/*.ts"\n---\nrule of ts\n',
  '.claude/rules/py.md': '---\npaths:\n  - "src/*.py"\n  - "lib/**"\n---\nrule of py\n',
  '.claude/rules/list.md': '---\npaths: "src/*.{ts,tsx}, test/**"\n---\nrule of a list\n',
  '.claude/rules/folder.md': '---\npaths: src/\n---\nrule of a folder\n',
  '.claude/rules/root.md': '---\npaths: "*.ts"\n---\nrule of the root\n',
  '.claude/rules/none.md': '---\npaths: []\n---\nrule of nothing\n',
  '.claude/rules/all.md': '---\npaths: "**"\n---\nrule of all\n',
  'HOME/.claude/rules/user.md': '---\npaths: "**/*.ts"\n---\nrule of the user\n',
  '.claude/agents/own.md': '---\nname: own\ndescription: Looks\n---\nYou look.\n',
};
const works = (name: string, steps: Step[], more: Case['files'] = {}): Case => ({
  name: `shown: ${name}`,
  args: [...STREAM, 'hi', '--permission-mode', 'acceptEdits'],
  files: { ...LATER, ...more },
  turns: [[...steps, say('done')]],
});
const read = (file: string): Step => tool('Read', { file_path: file });
const heard = (reason: string): Case =>
  works(`hooks hear of ${reason}`, [read('pkg/b.js'), read('src/b.py')], { '.claude/settings.json': hook(reason) });

/** Files of which the CLI tells the model by itself. */
export const SHOWN_CASES: readonly Case[] = [
  ...[
    'look at @a.txt',
    'see @one',
    'see @none.txt and mail@b.txt',
    'see @"with space.txt"',
    '@a.txt @a.txt @b.txt',
  ].map((prompt) => mention(prompt)),
  ...['see @many.txt#L2-3', 'see @many.txt#L2', 'see (@b.txt), and @a.txt.', 'see @./a.txt'].map((prompt) =>
    mention(prompt),
  ),
  ...['see @tool.exe', 'see @a.txt, @b.txt!', 'see @one/', '"@a.txt"'].map((prompt) => mention(prompt)),
  mention('/look @b.txt', { '.claude/commands/look.md': 'body @a.txt of $ARGUMENTS @none.txt\n' }),
  memory('of all kinds', ALL),
  memory('of the user alone', ALL, ['--setting-sources', 'user']),
  memory('of the project alone', ALL, ['--setting-sources', 'project']),
  memory('of nobody', ALL, ['--setting-sources', '']),
  memory('with comments and code', { 'CLAUDE.md': BODY }),
  memory('that include others', {
    'CLAUDE.md': `see @dir/one.txt here\n- @b.txt, and @dir/in.md\n- @../outside.md @/etc/hostname (@a.txt)\n`,
    'dir/in.md': 'nested @two/three.txt and @a.txt and @../CLAUDE.md\n',
  }),
  ...['session_start', 'include', 'compact'].map((reason) =>
    memory(
      `that hooks hear of: ${reason}`,
      { 'CLAUDE.md': 'see @b.txt here\n', '.claude/settings.json': hook(reason) },
      ['--include-hook-events'],
    ),
  ),
  memory('without words', { 'CLAUDE.md': '\n<!-- nothing -->\n', '.claude/CLAUDE.md': '' }),
  works('a file of a folder', [read('pkg/b.js'), read('pkg/b.js'), read('pkg/deep/a.js')]),
  works('a file deep in folders', [read('pkg/deep/a.js'), read('pkg/b.js')]),
  works('a file of rules', [read('src/a.ts'), read('src/b.py')]),
  works('a file that is not there', [read('src/none.py')]),
  works('a new file', [tool('Write', { file_path: 'src/new.ts', content: 'x' }), read('src/a.ts')]),
  works('an edited file', [
    read('src/b.py'),
    tool('Edit', { file_path: 'src/b.py', old_string: 'b', new_string: 'c' }),
  ]),
  works('a file of a command', [tool('Bash', { command: 'cat src/a.ts pkg/b.js' })]),
  works('a file of a subagent', [
    agent('look', { subagent_type: 'own', run_in_background: false }, [read('src/b.py'), say('seen')]),
  ]),
  works('a file after a subagent', [
    agent('look', { subagent_type: 'own', run_in_background: false }, [read('src/b.py'), say('seen')]),
    read('src/b.py'),
  ]),
  { ...works('a file of the prompt', []), args: [...STREAM, 'see @pkg/b.js'] },
  ...['nested_traversal', 'path_glob_match'].map(heard),
  {
    ...works('a file in a session that goes on', [read('src/b.py')]),
    args: [...STREAM, 'hi', '--resume', SESSION],
    before: [{ ...BEFORE, turns: [[read('src/b.py'), say('before')]] }],
  },
];
