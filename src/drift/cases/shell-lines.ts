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
    name: 'a rule allows a command, however it is started',
    args: [...STREAM, 'go'],
    turns: [
      [
        ...['bash -c "echo 1"', 'timeout 5 bash -c "echo 2"', 'nohup bash -c "echo 3"', 'NO_COLOR=1 bash -c "echo 4"'],
        ...['env bash -c "echo 5"', 'FOO=1 bash -c "echo 6"', 'bash  -c "echo 7" 2>&1', 'nice -n 5 bash -c "echo 8"'],
        ...['setsid bash -c "echo 9"', 'echo a | xargs bash -c "echo 10"', 'time -p bash x', 'timeout inf bash x'],
        ...[
          'IFS=x bash x',
          'COLUMNS=x bash x',
          'A=~ bash x',
          'nohup LANG=C bash x',
          'LANG=x bash x',
          'command bash none',
        ],
        ...['ls; env bash x', 'coproc bash x', 'nohup eval ls', 'LANG=C ls sub', 'LANG=x ls sub', 'nohup ls sub'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
    files: { 'sub/b.txt': 'b\n', 'HOME/.claude/settings.json': { permissions: { allow: ['Bash(bash:*)'] } } },
  },
  ...(['deny', 'ask'] as const).map((list) => ({
    name: `a rule that ${list === 'deny' ? 'denies' : 'asks'} finds a command, wherever it stands`,
    args: [...STREAM, 'go'],
    turns: [
      [
        ...[
          'foo bar',
          'FOO=1 foo bar',
          'env foo bar',
          '/usr/bin/foo bar',
          '"foo" bar',
          'setsid foo bar',
          'exec foo bar',
        ],
        ...[
          'echo $(foo bar)',
          '(foo bar)',
          '{ foo bar; }',
          'ls | foo bar',
          'ls && foo bar',
          'for i in 1; do foo bar; done',
        ],
        ...[
          'foo bar && bash none',
          'echo `foo bar`',
          'bash -c "foo bar"',
          'echo foo bar',
          'foobar',
          'timeout 5 foo bar',
        ],
        ...['foo bar > out.txt', 'xargs foo bar', 'echo "$(foo bar)"', 'cat <(foo bar)', 'ls # foo'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
    files: { 'HOME/.claude/settings.json': { permissions: { allow: ['Bash'], [list]: ['Bash(foo:*)'] } } },
  })),
  {
    name: 'changes of files that another program starts',
    args: [...STREAM, 'go', '--permission-mode', 'acceptEdits'],
    turns: [
      [
        ...[
          'nohup rm none',
          'LANG=C mkdir m1',
          'env mkdir m2',
          'FOO=1 mkdir m3',
          'command cp a.txt b.txt',
          'nohup touch x',
        ],
        ...[
          'nohup cp -r sub sub2',
          'nohup touch .bashrc',
          'nohup ls > o.txt',
          'LANG=C ls > o.txt',
          'timeout 5 touch x',
        ],
        ...['nohup cat /etc/none', 'timeout 5 sed -i s/a/b/ a.txt', 'nohup find . -delete', 'nohup rm sub/*'],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
    files: { 'a.txt': 'a\n', 'sub/b.txt': 'b\n' },
  },
  {
    name: 'commands that touch denied files',
    args: [...STREAM, 'go'],
    turns: [
      [
        ...[
          'cat secret.txt',
          'nohup cat secret.txt',
          'FOO=1 cat secret.txt',
          'env cat secret.txt',
          'ls && cat secret.txt',
        ],
        ...['ls | cat secret.txt', 'if true; then cat secret.txt; fi', 'cat < secret.txt', 'head -1 secret.txt'],
        ...[
          'nohup touch kept.txt',
          'LANG=C rm kept.txt',
          'echo a > kept.txt',
          'bash -c "cat secret.txt"',
          'cat kept.txt',
        ],
      ].map((command) => tool('Bash', { command })),
    ].map((steps) => [...steps, say('done')]),
    files: {
      ...{ 'secret.txt': 's\n', 'kept.txt': 'k\n' },
      'HOME/.claude/settings.json': { permissions: { allow: ['Bash'], deny: ['Read(secret.txt)', 'Edit(kept.txt)'] } },
    },
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
