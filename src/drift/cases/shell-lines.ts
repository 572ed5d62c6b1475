import { type Case, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, tool } from '../case.js';
import { says } from './parts.js';

const shell = (command: string): Step => tool('Bash', { command });
const write = (file: string): Step => tool('Write', { file_path: file, content: 'x' });
const keeps = (event: string): NonNullable<Case['files']> => ({
  '.claude/settings.json': { hooks: { [event]: [{ hooks: [{ type: 'command', command: RECORD_PAYLOAD }] }] } },
  'a.txt': 'a\n',
  'sub/b.txt': 'b\n',
});
/** A turn ends when much is refused in it. */
const turnsOf = (...steps: Step[]): Step[][] =>
  Array.from({ length: Math.ceil(steps.length / 8) }, (_, at) => [...steps.slice(at * 8, at * 8 + 8), say('done')]);
const OFFERED = turnsOf(
  ...[
    ...['make all', 'NODE_ENV=test make test-it x', 'A=1 make x', 'bash run', 'node a.js 2>/dev/null'],
    ...['mkdir -p x/y', 'rm -rf sub', 'cp -r a.txt b.txt', 'cp a.txt /etc/a.txt', 'echo a > sub/c.txt', 'touch .git/x'],
    ...['make a | node b.js | tee c.txt', 'make a # b; c', 'echo a | cat > x.txt', 'rm -rf .', 'node $X'],
    ...['make a && make a b && touch x && cat /etc/x', 'make a; node b; node c; node d; node e; node f', 'ls &'],
    ...[
      'cat /etc/hosts',
      'ls /',
      'cd sub && mkdir x',
      'cd sub && mkdir x && make a',
      'cd sub && git commit',
      'make a &',
    ],
    ...['(make a)', 'find . -delete && make a', 'git commit -m "$(cat <<\'EOF\'\nx\nEOF\n)"', "node -e 'a\nb'"],
  ].map(shell),
  ...['b.txt', '../b.txt', '.git/x', '.claude/skills/x/SKILL.md'].map(write),
  tool('Read', { file_path: '/etc/hosts' }),
  tool('WebFetch', { url: 'https://a.example.test/b', prompt: 'look' }),
  tool('WebSearch', { query: 'news' }),
);
const OFFERED_TO_ACCEPT = turnsOf(
  ...['touch ../x', 'cp -r a.txt b.txt', 'make a > x.txt', 'cat /etc/hosts > x.txt', 'tee x.txt', 'rm *.txt'].map(
    shell,
  ),
  ...["sed -i 's/a/b/w x' a.txt", 'rake a', 'rake a && perl x.pl', 'touch x &', 'cd sub && mkdir x'].map(shell),
  ...['.git/x', '../b.txt'].map(write),
);

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
  {
    name: 'what a hook is offered with a question',
    args: LIVING,
    files: keeps('PermissionRequest'),
    turns: OFFERED,
    talk: says(...OFFERED.map(() => 'go')),
  },
  {
    name: 'what a hook is offered where edits are accepted',
    args: [...LIVING, '--permission-mode', 'acceptEdits', '--settings', '{"permissions":{"ask":["Bash(rake:*)"]}}'],
    files: keeps('PermissionRequest'),
    turns: OFFERED_TO_ACCEPT,
    talk: says(...OFFERED_TO_ACCEPT.map(() => 'go')),
  },
  {
    name: 'commands that are expected to print nothing',
    args: [...STREAM, 'go', '--permission-mode', 'bypassPermissions'],
    files: keeps('PostToolUse'),
    turns: [
      [
        ...['mkdir -v x 2>&1', 'touch x/a && cp x/a b; rm b', 'mkdir y || true', 'cd . # why; ls', 'touch z | cat'],
        ...['for i in 1 2; do mkdir f$i; done', 'A=1 mkdir w', 'export A=1; wait', 'echo a > b.txt', 'ls -d x'],
      ].map(shell),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'variables before and after the first command',
    args: [...STREAM, 'go'],
    turns: [
      [
        ...['x=1', 'x=1; ls', 'x=hello; echo $x; ls', 'export A=1; ls', 'export A; ls', 'ls && export A=1 && pwd'],
        ...['x=1; rm $x', 'A=1 ls', 'x=1', 'x=1; ls', 'x=1; echo $x', 'export A=1; ls', 'export A; ls'],
      ].map(shell),
    ].map((steps) => [...steps, say('done')]),
  },
  {
    name: 'variables and rules',
    args: [...STREAM, 'go', '--allowedTools', 'Bash(echo:*),Bash(export:*)'],
    turns: [['x=1; echo $x', 'x=1; echo hi', 'export A=1; ls', 'ls', 'export A=1; ls'].map(shell)].map((steps) => [
      ...steps,
      say('done'),
    ]),
  },
  {
    name: 'lines that change files which a rule lets be edited',
    args: [...STREAM, 'go', '--allowedTools', 'Edit(sub/**),Bash(mkdir *)'],
    files: { 'sub/a.txt': 'a\n', 'README.md': 'hello\n' },
    turns: [
      [
        ...['echo a > sub/b', 'ls >> sub/l 2>&1', 'cat README.md > sub/x && ls', 'echo a > sub/b > other'],
        ...['echo a > sub/b; echo c > d', 'node -e 0 > sub/n', 'touch sub/c', 'rm -rf sub', 'mkdir sub/y'],
        ...['cat README.md | tee sub/t', 'mv sub/a.txt other', 'sed -i s/a/b/ sub/a.txt', 'rm README.md'],
      ].map(shell),
    ].map((steps) => [...steps, say('done')]),
  },
];
