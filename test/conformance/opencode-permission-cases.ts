import { calling, JSON_RUN, type OpenCodeCase, settings, stepsOf, TEXT_RUN } from './opencode-case.js';

const bash = (command: string): [string, Record<string, unknown>] => ['bash', { command }];
const write = (filePath: string): [string, Record<string, unknown>] => ['write', { filePath, content: 'x\n' }];

const permission = (
  name: string,
  rules: unknown,
  said: Pick<OpenCodeCase, 'answer' | 'scenario'>,
  more: Partial<OpenCodeCase> = {},
): OpenCodeCase => ({
  ...{ name: `permission: ${name}`, args: [...JSON_RUN, 'hi'], told: true, files: settings({ permission: rules }) },
  ...said,
  ...more,
});

const COMMANDS = { bash: { '*': 'deny', 'echo *': 'allow', 'git status*': 'allow', 'l? x': 'allow' } };

/** What may be done, and what becomes of the rest. */
export const OPENCODE_PERMISSION_CASES: readonly OpenCodeCase[] = [
  permission('nothing but reading', { bash: 'deny', edit: 'deny' }, calling(bash('echo x'), write('a.txt'))),
  permission(
    'rules about commands',
    COMMANDS,
    calling(bash('echo'), bash('echo x > f.txt'), bash('ls x'), bash('lsx')),
  ),
  permission(
    'rules about commands of a line',
    COMMANDS,
    calling(
      bash('cd . && echo y'),
      bash('echo a && rmdir b'),
      bash('echo a | cat'),
      bash('echo "a;b" \'c|d\' # no; e'),
    ),
  ),
  permission(
    'rules about substituted commands',
    COMMANDS,
    calling(bash('echo $(whoami)'), bash('echo `whoami`'), bash('echo $(echo 1)'), bash('FOO=1 echo x')),
  ),
  permission(
    'rules about compound commands',
    COMMANDS,
    calling(bash('if true; then echo z; fi'), bash('(echo q)'), bash('for i in 1; do echo $i; done'), bash('! echo n')),
  ),
  permission('the last rule counts', { bash: { 'echo *': 'allow', '*': 'deny' } }, calling(bash('echo x'))),
  permission('a rule for everything', { '*': 'deny', read: 'allow' }, calling(['read', { filePath: 'opencode.json' }])),
  permission('one word', 'deny', stepsOf({ text: 'ok' })),
  permission(
    'rules about files',
    { edit: { '*': 'deny', 'src/*': 'allow' } },
    calling(write('src/b.txt'), write('c.txt')),
    {
      git: true,
    },
  ),
  permission(
    'rules about files, without a repository',
    { edit: { '*': 'allow', 'src/*': 'deny' } },
    calling(write('src/b.txt')),
  ),
  permission('rules about files that are read', { read: { '*.md': 'deny' } }, calling(['read', { filePath: 'a.md' }])),
  permission(
    'a command that is to be asked for',
    { bash: 'ask' },
    stepsOf({ text: 't', tools: [bash('echo x && ls foo')] }, { text: 'never' }),
  ),
  permission(
    'a command that is to be asked for, as text',
    { bash: 'ask' },
    stepsOf({ text: 't', tools: [bash('echo x')] }, { text: 'never' }),
    {
      args: [...TEXT_RUN, 'hi'],
    },
  ),
  permission(
    'a file that is to be asked for',
    { edit: 'ask' },
    stepsOf({ tools: [write('src/a.txt')] }, { text: 'never' }),
    {
      git: true,
    },
  ),
  permission('what is asked for is permitted by --auto', { bash: 'ask' }, calling(bash('echo x')), {
    args: [...JSON_RUN, '--auto', 'hi'],
  }),
  permission('--auto permits nothing that is denied', { bash: { 'echo *': 'deny' } }, calling(bash('echo x')), {
    args: [...JSON_RUN, '--yolo', 'hi'],
  }),
  permission(
    'secrets are to be asked for',
    {},
    stepsOf({ tools: [['read', { filePath: '.env' }]] }, { text: 'never' }),
    {
      files: { '.env': 'A=1\n' },
      git: true,
    },
  ),
  permission('an example of secrets', {}, calling(['read', { filePath: '.env.example' }]), {
    files: { '.env.example': 'A=1\n' },
  }),
  permission('tools that are switched off', {}, calling(bash('echo x')), {
    files: settings({ tools: { bash: false, write: false, todowrite: false } }),
  }),
  permission('tools that are switched off and permitted', {}, calling(bash('echo x')), {
    files: settings({ tools: { bash: false }, permission: { bash: 'allow' } }),
  }),
  permission('a plan', {}, calling(write('a.txt'), write('.opencode/plans/p.md')), {
    args: [...TEXT_RUN, '--agent', 'plan', 'hi'],
    git: true,
    files: {},
  }),
  permission('an agent of its own', { bash: 'deny' }, calling(bash('echo x'), bash('ls')), {
    args: [...TEXT_RUN, '--agent', 'w', 'hi'],
    files: {
      ...settings({ permission: { bash: 'deny' } }),
      '.opencode/agent/w.md': '---\npermission:\n  bash:\n    "echo *": allow\n  edit: deny\n---\nW',
    },
  }),
  permission('denied, as text', { bash: { 'echo *': 'deny' } }, calling(bash('echo x')), { args: [...TEXT_RUN, 'hi'] }),
];
