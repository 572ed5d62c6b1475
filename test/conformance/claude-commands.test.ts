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

/** Ways to write a command that people and models use, and ways around a rule about it. There is no program with the name foo. */
const LINES = [
  'ls',
  ...['foo', 'foo bar', 'foo  bar', 'foo bar baz', 'foobar', 'foo-bar', 'FOO bar', ' foo bar', 'foo\tbar'],
  ...["'foo' bar", 'f"o"o bar', '\\foo bar', 'foo "bar"', "foo 'bar'", 'foo \\\n bar', 'foo # bar', '# bar\nfoo'],
  ...['foo bar > out.txt', '> out.txt foo', 'foo 2>&1', 'foo < README.md', 'foo 2>/dev/null', 'foo >> out.txt'],
  ...[
    'FOO=1 foo bar',
    'NODE_ENV=x foo bar',
    'PATH=/x foo bar',
    'LANG=C foo bar',
    'FOO=$(ls) foo bar',
    'FOO=1; foo bar',
  ],
  ...['env foo bar', 'env FOO=1 foo bar', 'timeout 5 foo bar', 'time foo bar', 'nohup foo bar', 'nice -n 5 foo bar'],
  ...[
    'stdbuf -oL foo bar',
    'command foo bar',
    'eval "foo bar"',
    'bash -c "foo bar"',
    "sh -c 'foo bar'",
    'exec foo bar',
  ],
  ...['xargs foo', 'echo a | xargs foo', 'echo a | foo bar', 'foo bar | head', 'sudo foo bar', 'busybox foo bar'],
  ...['foo && bar', 'foo bar && foo baz', 'foo; bar', 'foo|bar', 'foo || true', 'foo bar &', 'foo\nbar', '(foo bar)'],
  ...['{ foo bar; }', 'if foo; then bar; fi', '! foo bar', 'for i in 1 2; do foo $i; done', 'while foo; do bar; done'],
  ...['echo foo bar', '$(foo bar)', 'echo $(foo bar)', 'echo "$(foo bar)"', 'echo `foo bar`', 'foo $HOME', 'foo "$X"'],
  ...['foo *.md', 'foo {a,b}', "foo <<'E'\nbar\nE", 'cat <(foo bar)', 'foo() { bar; }; foo', 'alias foo=bar'],
  ...['./foo bar', '/bin/foo bar', 'find . -name x -exec foo bar \\;', 'git commit -m x', 'git -C sub commit -m x'],
  ...[
    'git push origin main',
    'git push origin main --force',
    'foo -x',
    'foo --flag=1',
    'cd sub && foo bar',
    'ls | foo bar',
  ],
];

/** What people write into rules about commands: each is asked about as one that allows, denies and asks. */
const RULES = [
  ...[
    'foo',
    'foo:*',
    'foo *',
    'foo*',
    'foo bar',
    'foo bar:*',
    'foo bar *',
    '*',
    '* bar',
    '* foo *',
    'foo * baz',
    'foo:',
  ],
  ...['FOO=1 foo:*', 'NODE_ENV=x foo:*', 'env:*', 'timeout:*', 'nohup foo:*', 'cd:*', 'cd sub && foo:*', 'foo && bar'],
  ...[
    'foo | bar',
    'foo > out.txt',
    'foo 2>&1',
    'bash:*',
    'bash -c:*',
    'xargs:*',
    'eval:*',
    'echo:*',
    './foo:*',
    'find:*',
  ],
  ...['foo "bar"', 'command foo:*', 'git:*', 'git commit:*', 'git * main', 'git push *', '* --force', 'foo --flag=*'],
];

type Answers = Record<string, string[]>;

/**
 * By question, the lines that run under a rule that allows, those that do not under one that denies or asks, and those
 * for which a hook fires that has the rule for its `if`.
 */
const recordings = new RecordedAnswers<Answers>('commands');
const recorded = recordings.said;

/** Judged otherwise by the stand-in: a variable from a command, a function, and a redirection in a rule. */
const KNOWN = new Set([
  ...['* bar', '* foo *'].map((rule) => `allow ${rule}: FOO=$(ls) foo bar`),
  ...['ask', 'deny'].map((list) => `${list} * bar: foo() { bar; }; foo`),
  ...['ask foo 2>&1: foo 2>&1', 'deny foo: foo $HOME'],
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
