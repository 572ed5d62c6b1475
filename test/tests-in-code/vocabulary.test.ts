import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { expectationSchema } from '../../packages/runner/src/rehearsal/expectation-schema.js';
import { rehearsalSchema } from '../../packages/runner/src/rehearsal/schema.js';
import { runExpectationSchema } from '../../packages/verdict/src/checks/program/run-expectation.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { methodParams } from '../../src/line-protocol/params.js';
import { defaultOptions } from '../../src/testing/options.js';
import { preparePytest } from '../helpers/pytest.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** Expectations of which none holds of this turn, one for each field; the others cannot be said in code, or not of a turn. */
const TURN: Record<string, unknown> = {
  outcome: 'failed',
  says: 'Good bye',
  says_not: 'plan',
  keywords: { all: ['plan', 'bicycle'] },
  suggests: '/commit',
  error_handled: true,
  feedback: { min: 2 },
  json: { type: 'object' },
  workflow: 'planning',
  tools: { any: ['Bash'] },
  command: { name: 'explore' },
  hooks: [{ event: 'PreToolUse' }],
  hook_order: ['PreToolUse', 'Stop'],
  skills: ['doctor'],
  subagents: ['scout'],
  told: { message: 'never said' },
  told_not: { message: 'hello' },
  permissions: [{ tool: 'Write', decision: 'deny' }],
  plugins: ['absent'],
  mcp_servers: ['absent'],
  files: [{ path: 'a.txt', contains: 'y' }],
  commits: {},
  budget: { max_model_turns: 0 },
  house: { short: false },
};
/** Of a program that ends with 3. */
const PROGRAM: Record<string, unknown> = {
  exit_code: 0,
  stdout: { contains: 'Good bye' },
  calls: { count: 2 },
  call: [{ number: 1, says: 'Good bye' }],
  house: { short: false },
};
/** What another field is about: `reason` says why a turn failed; of a terminal, of a file beside the rehearsal. */
const NOT_HERE = ['reason', 'stage', 'screen', 'snapshot'];

const RULES = {
  responses: [
    {
      pattern: { type: 'contains', text: 'hello' },
      response: {
        text: 'A plan: greet. Next, run /plan.',
        tool_calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }],
      },
    },
  ],
};
const HOUSE = `import { defineCheck } from 'agent-understudy';
export default defineCheck({ fields: { short: { description: 'x', expects: 'boolean', judge: ({ text }, short) => ({
  passed: text.length < 99 === short, expected: 'a long answer', seen: text, evidence: ['short'], fix: 'Say more.' }) } } });
`;
const RUN = 'claude --dangerously-skip-permissions -p hello; exit 3';

const scratch = createScratch('vocabulary');
afterAll(() => scratch.remove());
const folder = join(scratch.path, 'tests');

const VITEST = `import { expect, runProgram, test } from 'agent-understudy/vitest';
import { writeFileSync } from 'node:fs';
import { expectRun, expectTurn } from 'agent-understudy/assert';
import house from './house.mjs';
const TURN = ${JSON.stringify(TURN)}, PROGRAM = ${JSON.stringify(PROGRAM)}, RULES = ${JSON.stringify(RULES)};
test.override({ stage: 'sim', scenario: RULES, workflow: 'agent-loop', checks: { house: './house.mjs' } });
const saidBy = (action) => { try { action(); return 'nothing'; } catch (error) { return error.message; } };
test('words', async ({ conversation }) => {
  const turn = await conversation.send('hello');
  const run = await runProgram(${JSON.stringify(RUN)}, { stage: 'sim', scenario: RULES, project: {}, checks: { house } });
  const checks = { house };
  const words = (table, value, holds) => Object.fromEntries(Object.entries(table).map(([name, expected]) => [name, [
    saidBy(() => expect(value).toMeet({ [name]: expected })),
    saidBy(() => holds(value, { [name]: expected }, value === turn ? { checks } : {})),
  ]]));
  writeFileSync('vitest.json', JSON.stringify({ turn: words(TURN, turn, expectTurn), program: words(PROGRAM, run, expectRun) }));
});
`;
const PYTEST = `import json
import pytest
from pytest_understudy import ExpectationFailed

TURN = json.loads(${JSON.stringify(JSON.stringify(TURN))})
PROGRAM = json.loads(${JSON.stringify(JSON.stringify(PROGRAM))})
pytestmark = [pytest.mark.stage("sim"), pytest.mark.understudy(
    scenario=json.loads(${JSON.stringify(JSON.stringify(RULES))}), workflow="agent-loop", checks={"house": "house.mjs"})]


def words(table, expect):
    said = {}
    for name, expected in table.items():
        with pytest.raises(ExpectationFailed) as failure:
            expect(**{name: expected})
        said[name] = str(failure.value)
    return said


def test_words(conversation, program):
    turn = conversation.send("hello")
    run = program.run(${JSON.stringify(RUN)})
    with open(${JSON.stringify(join(folder, 'pytest.json'))}, "w") as out:
        json.dump({"turn": words(TURN, turn.expect), "program": words(PROGRAM, run.expect)}, out)
`;

/** What a failure says: what was expected, what was seen, what to do. */
function told({ expected, actual, suggestion }: CheckResult): string[] {
  const fix = suggestion === undefined ? [] : [`fix       ${suggestion}`];
  return [`expected  ${expected}`, `seen      ${actual}`, ...fix];
}

/** The same of a text. */
function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (/^ {2}(?:expected|seen|fix) {2,}\S/.test(line) ? line.trim() : []));
}

type Said<T> = Record<'turn' | 'program', Record<string, T>>;
const saidIn = <T>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Said<T>;

it('has an example of every field that can be said in code', () => {
  const fields = Object.keys(expectationSchema.shape).filter((name) => !NOT_HERE.includes(name));
  expect(Object.keys(TURN).toSorted()).toEqual([...fields, 'house'].toSorted());
  const known = Object.keys(runExpectationSchema.shape);
  expect(Object.keys(PROGRAM).filter((name) => !known.includes(name))).toEqual(['house']);
});

it('has the same fields and says the same in a rehearsal, in Vitest, with assert and in pytest', async () => {
  const rehearsals = {
    turn: { workflow: 'agent-loop', steps: [{ send: 'hello', expect: TURN }] },
    program: { steps: Object.entries(PROGRAM).map(([name, one]) => ({ run: RUN, expect: { [name]: one } })) },
  };
  const documents = Object.entries(rehearsals).map(([name, own]) => [
    `${name}.rehearsal.json`,
    JSON.stringify({ name, ...own, ...RULES, checks: { house: './house.mjs' } }),
  ]);
  const files = { 'words.test.js': VITEST, 'test_words.py': PYTEST, 'house.mjs': HOUSE };
  const vitest = await runInlineTests(folder, { ...files, ...(Object.fromEntries(documents) as object) });
  expect(vitest.code, vitest.output + JSON.stringify(vitest.tests)).toBe(0);
  const { stdout } = await runUnderstudy(['run', '.', '--stage', 'sim', '--json'], { cwd: folder });
  const { entries } = JSON.parse(stdout) as RunResult;
  const inRehearsal = (what: string) => {
    const entry = entries.find(({ name }) => name === what);
    const red = entry?.steps.flatMap(({ checks }) => checks.filter(({ status }) => status !== 'passed')) ?? [];
    expect(red.length, JSON.stringify(entry)).toBeGreaterThan(Object.keys(PROGRAM).length - 1);
    return red.flatMap(told).toSorted();
  };
  const python = preparePytest();
  if (python !== undefined) {
    const ran = await python.run(folder, ['-q', 'test_words.py']);
    expect(ran.code, ran.stdout).toBe(0);
    python.remove();
  }
  const doors = saidIn<string[]>('vitest.json');
  const inPytest = python === undefined ? undefined : saidIn<string>('pytest.json');
  for (const what of ['turn', 'program'] as const) {
    const wanted = new Set(inRehearsal(what));
    for (const door of [0, 1, 2].slice(0, inPytest === undefined ? 2 : 3)) {
      const texts = Object.entries(doors[what]).map(([name, two]) => two[door] ?? inPytest?.[what][name] ?? '');
      for (const text of texts) expect(text).toMatch(/^ {2}expected {2}/m);
      expect(new Set(texts.flatMap(linesOf)), `${what}, door ${door}`).toEqual(wanted);
    }
  }
}, 180_000);

/** What only one of them has, or has under another name. */
const ALONE = {
  vitest: ['options'],
  // Of a step in a rehearsal; what starts the agent.
  pytest: ['permissions', 'args', 'model', 'timeout_ms', 'isolation'],
};

it('has the same options in rehearsals, Vitest and pytest', () => {
  const inRehearsals = Object.keys(rehearsalSchema.shape);
  const inVitest = Object.keys(defaultOptions).map((name) => name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`));
  const [, list = ''] =
    /FIELDS = \(([^)]*)\)/.exec(readFileSync('python/src/pytest_understudy/options.py', 'utf8')) ?? [];
  const inPytest = [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
  const shared = inVitest.filter((name) => !ALONE.vitest.includes(name));
  expect(shared.filter((name) => !inRehearsals.includes(name))).toEqual([]);
  expect(shared.filter((name) => !inPytest.includes(name))).toEqual([]);
  expect(inPytest.filter((name) => !shared.includes(name) && !ALONE.pytest.includes(name))).toEqual(['env']);
  expect(Object.keys(methodParams['test.begin'].shape).toSorted()).toEqual([...inPytest, 'from'].toSorted());
});
