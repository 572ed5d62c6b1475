import { type Case, LIVING, STREAM, say, tool } from '../case.js';
import { says } from './parts.js';

/** Lines of the shell: those of commands, and those that the agent wants to run. */
export const SHELL_LINE_CASES: readonly Case[] = [
  {
    name: 'a command whose shell line fails',
    args: [...STREAM, '/mine'],
    files: { '.claude/commands/mine.md': 'Now: !`exit 3`' },
  },
  {
    name: 'single arguments of a command',
    args: LIVING,
    turns: [[say('one')], [say('two')], [say('three')], [say('four')]],
    talk: says('/mine "x y" $HOME z; w', "/mine don't stop", '/mine', '/named x'),
    files: {
      '.claude/commands/mine.md': '[$0] [$1] [$2] [$ARGUMENTS] [$ARGUMENTS[1]]',
      '.claude/commands/named.md': '---\ndescription: Named\narguments: [first, second]\n---\n[$first] [$second]',
    },
  },
  {
    name: 'a line of a command fails without a word',
    args: [...STREAM, '/quiet'],
    files: { '.claude/commands/quiet.md': 'Before !`cat none 2>/dev/null` after' },
  },
  {
    name: 'lines that need approval, and lines that do not',
    args: [...STREAM, 'go'],
    turns: [
      [
        ...[
          "git rev-parse --show-toplevel | sed 's|.*/||'",
          'git worktree list',
          "awk '{print $1}' a.txt",
          'for i in 1 2; do ls; done',
          'ls &',
          '( ls )',
          'cd sub && git status',
          'sort -o b.txt a.txt',
        ].map((command) => tool('Bash', { command })),
        say('done'),
      ],
    ],
    files: { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' },
  },
  {
    name: 'changes that need approval even where edits are accepted',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(rm:*)'],
    turns: [
      [
        ...['cp -r sub q', 'mv -f a.txt b.txt', 'rm d.*', 'rm *', 'rmdir .', 'touch -c a.txt', 'tee o < a.txt'],
        ...['node -e 1 > o', '> o', 'ln -s a.txt q', 'sed -i -e s/a/b/ a.txt', 'touch ~/x', 'echo x | tee t.txt'],
        ...['rm none', 'mkdir -p x/y', 'cp a.txt b.txt', 'sort a.txt > c.txt', 'rm -f c.txt && touch d.txt'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
    files: { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' },
  },
  {
    name: 'commands that look outside',
    args: [...STREAM, 'go', '--allowedTools', 'Bash(head:*)', 'Read(//etc/**)'],
    turns: [
      [
        ...['cd .. && ls', 'grep x ~/y', 'find / -name x', 'cat /usr/x', 'head /usr/x', 'cat /etc/nothing'],
        ...['sed -n 1p ../x', 'ls .. && make', 'touch x && ls ..', 'ls .. | wc -l', 'cat ../a*', 'nosuchcommand'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'nobody to ask about files and commands',
    args: [...STREAM, 'go', '--permission-prompts', 'none', '--settings', '{"permissions":{"ask":["Bash"]}}'],
    turns: [
      [
        tool('Write', { file_path: '../outside.txt', content: 'x' }),
        tool('Read', { file_path: '/etc/hostname' }),
        ...['touch x', 'ls', 'touch ../x'].map((command) => tool('Bash', { command })),
        say('done'),
      ],
    ],
  },
  {
    name: 'a shell block without the shell',
    args: [...STREAM, '/mine', '--tools', 'Read'],
    files: { '.claude/commands/mine.md': 'Now:\n```!\necho run\n```\n' },
  },
];
