import { describe, expect, it, vi } from 'vitest';
import { conditionHolds } from '../../packages/agents/src/claude/facts/hooks/condition.js';
import { decide } from '../../packages/agents/src/claude/facts/permissions/decide.js';
import { noRules, parseRule } from '../../packages/agents/src/claude/facts/permissions/rules.js';
import { PAYLOADS, STREAM, say, tool } from '../../packages/suites/src/drift/case.js';
import { observe } from '../../packages/suites/src/drift/observe.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, sample, seedOr } from '../helpers/seeded.js';
import { type Answer, askClaude } from './claude-answers.js';
import { RECORDING, RecordedAnswers } from './recordings.js';

const SEED = seedOr(9);

/** Ways to write a command, and ways around a rule about it. There is no program with the name foo. */
const LINES = [
  'ls',
  ...['foo', 'foo bar', 'foo  bar', 'foo bar baz', 'foobar', 'foo-bar', 'foo b', 'FOO bar', ' foo bar', 'foo\tbar'],
  ...["'foo' bar", '"foo" bar', 'f"o"o bar', '\\foo bar', 'foo "bar"', "foo 'bar'", 'foo ba"r"', 'foo bar\n'],
  ...['foo \\\n bar', 'foo # bar', '# bar\nfoo', 'foo bar > out.txt', 'foo > out.txt', '> out.txt foo', 'foo 2>&1'],
  ...['foo < README.md', 'foo 2>/dev/null', 'foo > /dev/null', 'foo bar 2>&1', 'foo <<< bar', 'foo >> out.txt'],
  ...['FOO=1 foo', 'FOO=1 foo bar', 'NODE_ENV=x foo bar', 'PATH=/x foo bar', 'FOO=1 BAR=2 foo bar', 'LANG=C foo bar'],
  ...['FOO="a b" foo bar', 'FOO=$(ls) foo bar', 'FOO=$X foo bar', 'FOO=1', 'FOO=1; foo bar', 'export FOO=1 && foo bar'],
  ...['env foo', 'env foo bar', 'env FOO=1 foo bar', 'env -i foo bar', 'timeout 5 foo bar', 'timeout -k 1 5 foo bar'],
  ...[
    'timeout 5 env foo bar',
    'timeout 5 nice foo bar',
    'time foo bar',
    'time -p foo bar',
    'nohup foo bar',
    'nohup foo',
  ],
  ...[
    'nice foo bar',
    'nice -n 5 foo bar',
    'nice -5 foo bar',
    'stdbuf -oL foo bar',
    'command foo bar',
    'command -v foo',
  ],
  ...['builtin foo bar', 'exec foo bar', 'eval foo bar', 'eval "foo bar"', 'bash -c "foo bar"', "sh -c 'foo bar'"],
  ...['bash -c foo', 'bash foo', 'setsid foo bar', 'ionice foo bar', 'strace foo bar', 'busybox foo bar', 'coproc foo'],
  ...['xargs foo', 'xargs -n 1 foo bar', 'echo a | xargs foo', 'echo a | foo bar', 'foo bar | head', 'foo | bar'],
  ...['foo && bar', 'foo bar && foo baz', 'foo; bar', 'foo;bar', 'foo|bar', 'foo&&bar', 'foo || true', 'foo bar | foo'],
  ...['foo bar &', 'foo\nbar', 'foo bar\nfoo baz', '(foo bar)', '{ foo bar; }', 'if foo; then bar; fi', '! foo bar'],
  ...['if true; then foo bar; fi', 'for i in 1 2; do foo bar; done', 'for i in 1 2; do foo $i; done', 'bar && foo'],
  ...['while foo; do bar; done', '[ -f x ] && foo bar', 'test -f x || foo bar', 'echo foo bar', "echo 'foo bar'"],
  ...['$(foo bar)', 'echo $(foo bar)', 'echo "$(foo bar)"', 'echo `foo bar`', 'foo $(ls)', 'foo $HOME', 'foo $X'],
  ...[
    'foo "$X"',
    'foo *',
    'foo *.md',
    'foo ~/x',
    'foo {a,b}',
    "foo <<'E'\nbar\nE",
    'foo <<E\nbar\nE',
    'cat <(foo bar)',
  ],
  ...['foo() { bar; }; foo', 'alias foo=bar', 'trap foo EXIT', './foo', './foo bar', '/bin/foo bar', 'sub/foo bar'],
  ...['find . -name x -exec foo bar \\;', 'find . -exec foo {} +', 'git commit -m x', 'git -C sub commit -m x'],
  ...['git push origin main', 'git commit -m "foo bar"', 'git  commit -m x', 'git push origin main --force', 'foo:bar'],
  ...[
    'foo -x',
    'foo -x bar',
    'foo --flag=1',
    'foo -- bar',
    'foo \\* bar',
    'tool run foo',
    'tool run foo:bar',
    'tool run',
  ],
  ...['flock x foo bar', 'ltrace foo bar', 'taskset 1 foo bar', 'unshare foo bar', 'nsenter foo bar', 'chrt 1 foo bar'],
  ...[
    'timeout -s KILL 5 foo bar',
    'timeout inf foo bar',
    'nice -n5 foo bar',
    'stdbuf foo bar',
    'nohup -- foo bar',
    'time foo',
  ],
  ...[
    'command -p foo bar',
    'LANG="C" foo bar',
    'DEBUG=1 foo bar',
    'xargs -0 foo bar',
    'nohup xargs foo',
    'nohup LANG=C foo bar',
  ],
  ...[
    'LANG=C nohup foo bar',
    'nohup time foo bar',
    'xargs nohup foo bar',
    '! nohup foo bar',
    'caffeinate foo bar',
    'ls | foo bar',
  ],
  ...['cd sub && foo', 'cd sub && foo bar', 'cd sub; foo bar', '( cd sub && foo bar )', 'cd sub && git commit -m x'],
];

/** What people write into rules about commands: each is asked about as one that allows, denies and asks. */
const RULES = [
  ...['foo', 'foo:*', 'foo *', 'foo*', 'foo bar', 'foo bar:*', 'foo bar *', 'foo b*', '*', ':*', '* bar', '*bar'],
  ...['* foo', '* foo *', 'foo * baz', 'foo * baz:*', ' foo', 'foo  bar', 'foo:', 'FOO:*', '*:*', 'foo :*', 'foo**'],
  ...['FOO=1 foo', 'FOO=1 foo:*', 'FOO=1 *', 'NODE_ENV=x foo:*', 'env:*', 'env foo:*', 'timeout:*', 'timeout 5 foo:*'],
  ...['nohup:*', 'nohup foo:*', 'time:*', 'time foo:*', 'nice:*', 'nice foo *', 'cd:*', 'cd sub && foo', 'cd *'],
  ...['cd sub && foo:*', 'foo | bar', 'foo && bar', 'foo && *', 'foo > out.txt', 'foo > *', 'foo 2>&1', 'foo bar 2>&1'],
  ...['bash:*', 'bash -c:*', 'bash -c "foo bar"', 'bash *', 'xargs:*', 'xargs foo:*', 'eval:*', 'eval *', 'echo:*'],
  ...[
    '"foo" bar',
    '"foo":*',
    'foo "bar"',
    'foo "bar":*',
    "foo 'bar':*",
    'foo \\* bar',
    './foo',
    './foo:*',
    '/bin/foo *',
  ],
  ...['command foo:*', 'command:*', 'exec:*', 'foo -x:*', 'foo --flag=*', 'find:*', 'find *', 'git:*', 'git commit:*'],
  ...[
    'git * main',
    'git *',
    'git commit *',
    'tool run:*',
    'tool run foo:*',
    'tool run *',
    'foo:bar',
    'foo:bar:*',
    'foo\\:*',
  ],
  ...['(foo bar)', 'if:*', 'for:*', 'foo $X', 'foo $(ls)', 'foo\nbar', 'export:*', '\\foo:*', 'f?o', 'fo[o]', 'true'],
  ...[
    'setsid:*',
    'nohup foo bar',
    'timeout *',
    'FOO=1 foo bar:*',
    'LANG=C foo:*',
    'LANG=C foo bar',
    'xargs -n 1 foo:*',
    'stdbuf:*',
  ],
  ...['foo 2>&1:*', '* --force', 'git commit -m "foo bar"', 'builtin:*', '*foo*', 'nohup *'],
];

type Answers = Record<string, string[]>;

/**
 * By question, the lines that run under a rule that allows, those that do not under one that denies or asks, and those
 * for which a hook fires that has the rule for its `if`.
 */
const recordings = new RecordedAnswers<Answers>('commands');
const recorded = recordings.said;

/** Judged otherwise by the stand-in: a variable from a command, functions, heredocs, and redirections in a rule. */
const KNOWN = new Set([
  ...['* bar', '*bar', '* foo *', '*foo*'].map((rule) => `allow ${rule}: FOO=$(ls) foo bar`),
  ...['ask', 'deny'].flatMap((list) => [
    `${list} * bar: foo() { bar; }; foo`,
    `${list} *bar: foo <<E\nbar\nE`,
    `${list} * foo: > out.txt foo`,
    `${list} LANG=C foo:*: nohup LANG=C foo bar`,
    `${list} LANG=C foo bar: nohup LANG=C foo bar`,
  ]),
  ...['foo 2>&1', 'foo bar 2>&1', 'foo > out.txt'].map((rule) => `ask ${rule}: ${rule}`),
  ...['ask foo 2>&1:*: foo 2>&1', 'deny foo: foo $HOME', 'if foo \\* bar: foo \\* bar'],
]);

const LISTS = ['allow', 'ask', 'deny'] as const;
const QUESTIONS = LISTS.flatMap((list) => RULES.map((rule) => `${list} ${rule}`));
const CONDITIONS = RULES.map((rule) => `if ${rule}`);

function rulesOf(question: string): Record<'allow' | 'ask' | 'deny', string[]> {
  const list = LISTS.find((one) => question.startsWith(`${one} `)) ?? 'allow';
  const rule = `Bash(${question.slice(list.length + 1)})`;
  return { ...{ allow: ['Bash'], ask: [], deny: [] }, [list]: [rule] };
}

const conditionOf = (question: string): string => `Bash(${question.slice('if '.length)})`;

function ask(question: string): string[] {
  if (question.startsWith('if ')) {
    const fires = (command: string) =>
      conditionHolds(conditionOf(question), { cwd: '/ROOT/work', tool_name: 'Bash', tool_input: { command } });
    return LINES.filter(fires);
  }
  const rules = noRules();
  for (const list of LISTS)
    rules[list] = rulesOf(question)[list].flatMap(
      (rule) => parseRule(rule, 'userSettings', '/ROOT/home/.claude') ?? [],
    );
  const context = { mode: 'default', rules, cwd: '/ROOT/work', directories: ['/ROOT/work'] } as const;
  const isRun = (command: string) => decide('Bash', { command, timeout: 5000 }, context).behavior === 'allow';
  return LINES.filter((line) => isRun(line) === question.startsWith('allow '));
}

async function askReal(command: readonly string[], question: string, lines: readonly string[]): Promise<string[]> {
  const answers = await askClaude(command, {
    name: question,
    files: { 'HOME/.claude/settings.json': { permissions: rulesOf(question) }, 'README.md': 'hello\n', 'sub/x': 'x\n' },
    uses: lines.map((line) => tool('Bash', { command: line, timeout: 5000 })),
  });
  // A tool that is denied for every use is not there.
  const isRun = ({ text, isRefused }: Answer) => !isRefused && !text.includes('No such tool available');
  return lines.filter((_, at) => isRun(answers[at] as Answer) === question.startsWith('allow '));
}

/** All conditions in a session: a hook for each of them. With more lines it would take longer than a session may. */
async function askRealIf(command: readonly string[], questions: readonly string[], lines: readonly string[]) {
  const said = new Map(questions.map((question): [string, string[]] => [question, []]));
  for (let at = 0; at < lines.length; at += 20)
    for (const [question, own] of await askSomeIf(command, questions, lines.slice(at, at + 20)))
      said.get(question)?.push(...own);
  return Object.fromEntries(said);
}

async function askSomeIf(command: readonly string[], questions: readonly string[], lines: readonly string[]) {
  const keep = (at: number) => `p=$(cat); printf '{"hook":%s,"payload":%s}\\n' ${at} "$p" >> "$HOME/../${PAYLOADS}"`;
  const hooks = questions.map((question, at) => ({ type: 'command', if: conditionOf(question), command: keep(at) }));
  const { payloads, exitCode } = await observe(
    { kind: 'real', command: [...command] },
    {
      name: 'conditions of hooks',
      args: [...STREAM, 'go'],
      files: { 'HOME/.claude/settings.json': { hooks: { PreToolUse: [{ hooks }] } }, 'sub/x': 'x\n' },
      turns: [[...lines.map((line) => tool('Bash', { command: line })), say('done')]],
    },
  );
  expect(exitCode).toBe(0);
  const fired = payloads as { hook: number; payload: { tool_input: { command: string } } }[];
  const linesOf = (at: number) =>
    fired.filter(({ hook }) => hook === at).map(({ payload }) => payload.tool_input.command);
  return questions.map((question, at): [string, string[]] => {
    const own = new Set(linesOf(at));
    return [question, lines.filter((line) => own.has(line))];
  });
}

function differing(some: readonly string[], others: readonly string[]): string[] {
  return [...some.filter((one) => !others.includes(one)), ...others.filter((one) => !some.includes(one))];
}

describe('which commands a rule covers', () => {
  it.skipIf(RECORDING)('is decided as the real Claude Code does', () => {
    vi.stubEnv('HOME', '/ROOT/home');
    expect(Object.keys(recorded).sort()).toEqual([...QUESTIONS, ...CONDITIONS].sort());
    const wrong = [...QUESTIONS, ...CONDITIONS].flatMap((question) =>
      differing(ask(question), recorded[question] ?? []).map((line) => `${question}: ${line}`),
    );
    expect(wrong.filter((one) => !KNOWN.has(one))).toEqual([]);
    expect(
      [...KNOWN].filter((one) => !wrong.includes(one)),
      'judged rightly now: take it off the list',
    ).toEqual([]);
  });

  const some = RECORDING ? QUESTIONS : sample(QUESTIONS, 1, SEED);
  const conditions = RECORDING ? CONDITIONS : sample(CONDITIONS, 5, SEED);
  const lines = RECORDING ? LINES : ['ls', ...sample(LINES.slice(1), 30, SEED)];
  // A start of the real one for each question: for the long run, and for recording.
  if (RECORDING || LONG)
    it(`the real one still says so (${some.length} of the rules and ${conditions.length} conditions by seed ${SEED})`, {
      timeout: 3_600_000,
    }, async (context) => {
      const { command } = await realAgent('claude', context);
      const said: Answers = await askRealIf(command, conditions, lines);
      for (const question of some) said[question] = await askReal(command, question, lines);
      if (RECORDING) recordings.save(said);
      const before = (question: string) => lines.filter((line) => recorded[question]?.includes(line));
      if (!RECORDING)
        expect(said).toEqual(
          Object.fromEntries([...conditions, ...some].map((question) => [question, before(question)])),
        );
    });
});
