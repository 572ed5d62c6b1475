import { type Case, RECORD_PAYLOAD, STREAM, say } from '../case.js';

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
];
