import { failureTypes, type RunResult, runResultSchema } from '@understudy/verdict';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleContext, sampleEntry, sampleIteration, sampleRun } from '../../../../../test/helpers/sample-results.js';
import { readAnswer } from './answer.js';
import { answerExample, answerLists } from './answer-schema.js';
import { mergeAnswer } from './merge.js';
import { Problems } from './problems.js';

const said = sampleContext({
  iterations: [sampleIteration({ output: 'I understand my role.\nI will  write the file later.' })],
});

const run = sampleRun([
  sampleEntry('hat-single@claude', 'failed', { context: said }),
  sampleEntry('hat-topology@claude', 'passed'),
  sampleEntry('hat-routing@claude', 'passed'),
  sampleEntry('hat-instructions@kiro', 'skipped'),
]);

function merge(answer: object, into: RunResult = run) {
  const problems = new Problems();
  const read = readAnswer(JSON.stringify(answer), problems);
  if (read === undefined) throw new Error(`no answer: ${problems.all().join()}`);
  const { run: merged, taken } = mergeAnswer(into, read, problems);
  // The rules' diagnosis of the one failed case stays in most tests; that it does is a test of its own.
  const others = problems.all().filter((problem) => !problem.startsWith('the answer does not mention'));
  return { merged, taken, problems: others };
}

const failed = {
  test: 'hat-single@claude',
  failure_type: 'PromptIneffective',
  root_cause_hypothesis: 'The hat ignores its instructions.',
  evidence: ['it says "later"'],
  suggested_investigations: ['Read the prompt.'],
  potential_fixes: [{ description: 'Ask for the file.', confidence: 0.8 }],
};

it('does not name a file of the harness as the one to modify', () => {
  const fix = {
    description: 'Ask for the file.',
    confidence: 0.8,
    file_to_modify: '.e2e-tests/hat-single@claude/ralph.yml',
  };
  const theirs = { description: 'Read it.', confidence: 0.4, file_to_modify: 'src/hats.rs' };
  const { merged, problems } = merge({ failed_analyses: [{ ...failed, potential_fixes: [fix, theirs] }] });
  expect(merged.entries[0]?.diagnosis?.potential_fixes.slice(0, 2)).toEqual([
    { description: 'Ask for the file.', confidence: 0.8 },
    theirs,
  ]);
  expect(problems).toEqual([expect.stringContaining('is written by the harness')]);
});

it('puts the agent first in a diagnosis and keeps what the rules had found', () => {
  const { merged, taken, problems } = merge({ failed_analyses: [failed] });
  expect(problems).toEqual([]);
  expect(taken).toBe(1);
  expect(merged.entries[0]?.diagnosis).toEqual({
    failure_type: 'PromptIneffective',
    root_cause_hypothesis: 'The hat ignores its instructions.',
    evidence: [
      'it says "later"',
      'no build.done among 2 events',
      'By the rules: EventMissing. The event was never written.',
    ],
    similar_failures: [],
    suggested_investigations: ['Read the prompt.', 'Read the events file.'],
    potential_fixes: [
      { description: 'Ask for the file.', confidence: 0.8 },
      { description: 'Name the event in the prompt.', confidence: 0.5 },
    ],
    source: 'agent',
  });
});

it('has a diagnosis where the rules had none', () => {
  const { diagnosis: _, ...bare } = sampleEntry('hat-single@claude', 'failed');
  const { merged } = merge({ failed_analyses: [failed] }, sampleRun([bare]));
  expect(merged.entries[0]?.diagnosis).toMatchObject({ failure_type: 'PromptIneffective', source: 'agent' });
});

it('does not let an agent explain away what the harness knows', () => {
  const result = sampleEntry('hat-single@claude', 'failed');
  if (result.diagnosis !== undefined) result.diagnosis.failure_type = 'BaselineGreen';
  const { merged } = merge({ failed_analyses: [failed] }, sampleRun([result]));
  expect(merged.entries[0]?.diagnosis?.failure_type).toBe('BaselineGreen');
});

it('says which failed case was not explained', () => {
  const problems = new Problems();
  const answer = readAnswer('{"patterns": []}', problems);
  if (answer !== undefined) mergeAnswer(run, answer, problems);
  expect(problems.all()).toEqual([
    'the answer does not mention hat-single@claude, which failed; the diagnosis by rules stays',
  ]);
});

it('takes warnings and optimizations of passed cases, and a lower grade, never a higher one', () => {
  const warning = { category: 'PromptStruggle', message: 'It tried twice.', evidence: 'two drafts' };
  const optimization = { description: 'Say when it is done.', potential_improvement: 'one iteration less' };
  const { merged, problems } = merge({
    passed_analyses: [
      {
        test: 'hat-topology@claude',
        quality_score: 'Suboptimal',
        warnings: [warning],
        optimizations: [optimization],
      },
      { test: 'hat-routing@claude', quality_score: 'Optimal' },
    ],
  });
  expect(merged.entries[1]?.quality).toMatchObject({
    quality_score: 'Suboptimal',
    warnings: [warning],
    optimizations: [{ category: 'general', ...optimization }],
    metrics: run.entries[1]?.quality?.metrics,
    source: 'agent',
  });
  expect(merged.entries[2]?.quality?.quality_score).toBe('Good');
  expect(problems).toEqual([
    'hat-routing@claude is Optimal by the answer and Good as measured; the measured grade stays',
  ]);
});

it('names what contradicts the run, and merges none of it', () => {
  const passed = { quality_score: 'Good' };
  const { merged, taken, problems } = merge({
    failed_analyses: [
      { ...failed, test: 'hat-topology@claude' },
      { ...failed, test: 'invented' },
      { ...failed, test: 'hat-instructions@kiro' },
    ],
    passed_analyses: [
      { ...passed, test: 'hat-single@claude' },
      { ...passed, test: 'invented' },
    ],
    patterns: [{ description: 'All of them fail.', affected_tests: ['invented', 'made-up'] }],
    recommendations: [],
  });
  expect(taken).toBe(0);
  expect(merged).toEqual(run);
  expect(problems).toEqual([
    'failed_analyses: hat-topology@claude is passed, not failed; left out',
    'failed_analyses: there is no test "invented"; left out',
    'failed_analyses: hat-instructions@kiro is skipped, not failed; left out',
    'passed_analyses: hat-single@claude is failed, not passed; left out',
    'passed_analyses: there is no test "invented"; left out',
    'patterns[0]: there is no test "invented", "made-up"; the entry is left out',
  ]);
});

it('takes the first of two analyses of one test', () => {
  const { merged, problems } = merge({ failed_analyses: [failed, { ...failed, root_cause_hypothesis: 'Other.' }] });
  expect(merged.entries[0]?.diagnosis?.root_cause_hypothesis).toBe('The hat ignores its instructions.');
  expect(problems).toEqual(['failed_analyses: hat-single@claude is there twice; the first is taken']);
});

it('appends patterns, recommendations and loopholes, without the tests that they invent', () => {
  const recommendation = { severity: 'Critical', category: 'prompt', title: 'Ask', description: 'Ask for files.' };
  const loophole = { title: 'Talk', pattern: 'It talks.', evidence: ['talk'], suggested_counter: 'Look at the file.' };
  const { merged, problems } = merge({
    patterns: [{ description: 'Talk.', affected_tests: ['hat-single@claude', 'invented'] }],
    recommendations: [recommendation],
    loopholes: [loophole],
  });
  expect(merged.patterns).toEqual([{ description: 'Talk.', affected_tests: ['hat-single@claude'] }]);
  expect(merged.recommendations).toEqual([{ ...recommendation, affected_tests: [] }]);
  expect(merged.loopholes).toEqual([{ ...loophole, affected_tests: [] }]);
  expect(problems).toEqual(['patterns[0]: there is no test "invented"; the name is left out']);
});

it('takes a rationalization only when it was really said', () => {
  const entry = { reality: 'It never did.', action: 'Look at the file.' };
  const { merged, problems } = merge({
    rationalizations: [
      { ...entry, test: 'hat-single@claude', rationalization: '"I will write the file later…"' },
      { ...entry, test: 'hat-single@claude', rationalization: 'Tests are overrated' },
      { ...entry, test: 'hat-single@claude', rationalization: '"…"' },
      { ...entry, test: 'invented', rationalization: 'later' },
    ],
  });
  expect(merged.rationalizations).toHaveLength(1);
  expect(problems).toEqual([
    'rationalizations: no agent in hat-single@claude wrote "Tests are overrated"; left out',
    'rationalizations: no agent in hat-single@claude wrote "\\"…\\""; left out',
    'rationalizations: there is no test "invented"; left out',
  ]);
});

/** Everything in a run that says how it went. */
function verdictOf({ entries, ...rest }: RunResult) {
  const { patterns: _p, recommendations: _r, rationalizations: _a, loopholes: _l, ...facts } = rest;
  return {
    facts,
    graded: entries.filter(({ quality }) => quality !== undefined).length,
    explained: entries.filter(({ diagnosis }) => diagnosis !== undefined).length,
    entries: entries.map(({ diagnosis: _d, quality, ...entry }) => ({ ...entry, metrics: quality?.metrics })),
  };
}

/** JSON that looks like an answer, down to ids that exist, and is wrong wherever it can be. */
const wild = fc.jsonValue({ maxDepth: 3 });
const testId = fc.constantFrom(...run.entries.map(({ id }) => id), 'invented', '__proto__');
const word = fc.oneof(
  testId,
  fc.string(),
  fc.constantFrom(...failureTypes, 'Optimal', 'Suboptimal', 'Critical', 'SlowExecution', 'passed', 'later'),
);
const fields = [
  ...Object.values(answerLists).flatMap((schema) => Object.keys(schema.shape)),
  'status',
  'passed',
  'checks',
];
const value = fc.oneof(wild, word, fc.array(word, { maxLength: 3 }), fc.double(), fc.boolean());
const loose = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 });

/** The example, with some of its fields replaced: near enough to be taken, often wrong. */
const damaged = (list: keyof typeof answerLists) =>
  fc.tuple(testId, loose, fc.boolean()).map(([id, change, spoil]) => ({
    ...answerExample[list][0],
    test: id,
    affected_tests: [id],
    ...(spoil ? change : {}),
  }));
const someAnswer = fc.record(
  Object.fromEntries(
    (Object.keys(answerLists) as (keyof typeof answerLists)[]).map((list) => [
      list,
      fc.oneof(fc.array(fc.oneof(loose, damaged(list), wild), { maxLength: 4 }), wild),
    ]),
  ),
  { requiredKeys: [] },
);

it('never changes a result, and stays a valid result, whatever JSON the answer is', () => {
  const before = structuredClone(run);
  let takenAtAll = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: someAnswer }, wild), (answer) => {
      const problems = new Problems();
      const read = readAnswer(JSON.stringify(answer), problems);
      if (read === undefined) {
        expect(problems.all()).not.toEqual([]);
        return;
      }
      const { run: merged, taken } = mergeAnswer(run, read, problems);
      takenAtAll += taken;
      expect(runResultSchema.safeParse(merged).error).toBeUndefined();
      expect(verdictOf(merged)).toEqual(verdictOf(before));
      expect(run).toEqual(before);
    }),
    { numRuns: 400 },
  );
  // Were nothing ever merged, the property would say nothing.
  expect(takenAtAll).toBeGreaterThan(100);
});
