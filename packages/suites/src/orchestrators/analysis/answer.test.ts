import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readAnswer } from './answer.js';
import { answerExample, answerLists } from './answer-schema.js';
import { Problems } from './problems.js';

function read(payload: unknown, redact?: (text: string) => string) {
  const problems = new Problems(redact);
  const answer = readAnswer(typeof payload === 'string' ? payload : JSON.stringify(payload), problems, redact);
  return { answer, problems: problems.all() };
}

const failed = {
  test: 'hat-single@claude',
  failure_type: 'EventMissing',
  root_cause_hypothesis: 'No event.',
};
const fix = { description: 'Say it.', confidence: 0.5 };

it('shows every field of the schemas in the example, and nothing else', () => {
  expect(z.strictObject(mapValues(answerLists, (schema) => z.array(schema))).safeParse(answerExample).error).toBe(
    undefined,
  );
  expect(Object.keys(answerExample)).toEqual(Object.keys(answerLists));
  for (const [name, schema] of Object.entries(answerLists)) {
    const entry = answerExample[name as keyof typeof answerLists][0] as Record<string, unknown>;
    expect(Object.keys(entry).sort(), name).toEqual(Object.keys(schema.shape).sort());
  }
  const fixKeys = Object.keys(answerExample.failed_analyses[0]?.potential_fixes[0] ?? {});
  expect(fixKeys).toEqual(['description', 'confidence', 'file_to_modify', 'suggested_change']);
  expect(read(JSON.stringify(answerExample))).toEqual({ answer: answerExample, problems: [] });
});

function mapValues<T extends object, R>(value: T, change: (entry: T[keyof T]) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, change(entry as T[keyof T])]));
}

it('takes JSON as it is, in a fence, and with words around the fence', () => {
  const json = JSON.stringify({ failed_analyses: [failed] });
  for (const payload of [
    json,
    `\n ${json}\n`,
    `\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`\n${json}\n\`\`\``,
    `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`,
  ]) {
    const { answer, problems } = read(payload);
    expect(problems).toEqual([]);
    expect(answer?.failed_analyses).toEqual([
      { ...failed, evidence: [], suggested_investigations: [], potential_fixes: [] },
    ]);
    expect(answer?.loopholes).toEqual([]);
  }
});

it.each([
  ['', 'the answer is empty'],
  ['All is well.', 'the answer is not JSON: '],
  ['{"failed_analyses": [', 'the answer is not JSON: '],
  ['```json\n```', 'the answer is empty'],
  ['[1, 2]', 'the answer is not a JSON object'],
  ['"x"', 'the answer is not a JSON object'],
  ['null', 'the answer is not a JSON object'],
  ['{}', 'the answer has none of failed_analyses, '],
  ['{"verdict": "all passed"}', '`verdict` is not part of an answer; left out'],
])('has no answer in %j', (payload, problem) => {
  const { answer, problems } = read(payload);
  expect(answer).toBeUndefined();
  expect(problems[0]).toContain(problem);
});

it('drops a bad entry, names it, and keeps the good ones', () => {
  const { answer, problems } = read({
    failed_analyses: [failed, { ...failed, failure_type: 'Gremlins' }, { test: 'x' }, 'no', null],
    recommendations: { title: 'no list' },
    patterns: [{ description: 'They share it.' }],
    exit_code: 0,
  });
  expect(answer?.failed_analyses).toHaveLength(1);
  expect(answer?.patterns).toEqual([{ description: 'They share it.', affected_tests: [] }]);
  expect(answer?.recommendations).toEqual([]);
  expect(problems).toEqual([
    '`exit_code` is not part of an answer; left out',
    'failed_analyses[1].failure_type: `failure_type` cannot be "Gremlins"; the entry is left out',
    'failed_analyses[2].failure_type: `failure_type` cannot be missing; the entry is left out',
    'failed_analyses[2]: it has no `root_cause_hypothesis`; the entry is left out',
    'failed_analyses[3]: it must be a table, not a string; the entry is left out',
    'failed_analyses[4]: it must be a table, not null; the entry is left out',
    '`recommendations` is not a list; left out',
  ]);
});

it('drops the bad part of an entry that can do without it', () => {
  const { answer, problems } = read({
    failed_analyses: [
      {
        ...failed,
        status: 'passed',
        evidence: 'only one',
        potential_fixes: [{ ...fix, confidence: 1.7 }, fix, { ...fix, confidence: -1 }, { ...fix, sure: true }, 7],
      },
    ],
  });
  expect(answer?.failed_analyses).toEqual([
    { ...failed, evidence: [], suggested_investigations: [], potential_fixes: [fix, fix] },
  ]);
  expect(problems.sort()).toEqual([
    'failed_analyses[0].evidence: `evidence` must be a list, not a string; this part is left out',
    'failed_analyses[0].potential_fixes[0].confidence: `confidence` must be at most 1; this part is left out',
    'failed_analyses[0].potential_fixes[2].confidence: `confidence` must be at least 0; this part is left out',
    'failed_analyses[0].potential_fixes[3].sure: `sure` is not a field here; this part is left out',
    'failed_analyses[0].potential_fixes[4]: `potential_fixes[4]` must be a table, not a number; this part is left out',
    'failed_analyses[0].status: `status` is not a field here; this part is left out',
  ]);
});

it('takes null for absent', () => {
  const { answer, problems } = read({
    failed_analyses: [{ ...failed, evidence: null, potential_fixes: [{ ...fix, file_to_modify: null }] }],
    patterns: null,
  });
  expect(problems).toEqual([]);
  expect(answer?.failed_analyses[0]?.potential_fixes).toEqual([fix]);
});

it('does not know what only the harness can know', () => {
  for (const type of ['HarnessError', 'BaselineGreen', 'NotJudged'])
    expect(read({ failed_analyses: [{ ...failed, failure_type: type }] }).answer?.failed_analyses).toEqual([]);
});

it('does not read an answer of 50 MB, and cuts what is long in a smaller one', () => {
  const huge = `{"failed_analyses": [${JSON.stringify({ ...failed, root_cause_hypothesis: 'x'.repeat(50_000_000) })}]}`;
  expect(read(huge)).toMatchObject({
    answer: undefined,
    problems: [expect.stringContaining('no more than 1000000 are read')],
  });
  const { answer } = read({ failed_analyses: [{ ...failed, root_cause_hypothesis: 'x'.repeat(5000) }] });
  expect(answer?.failed_analyses[0]?.root_cause_hypothesis).toHaveLength(4002);
  const many = read({ patterns: Array.from({ length: 100_000 }, () => 0) });
  expect(many.problems).toHaveLength(51);
  expect(many.problems.at(-1)).toBe('and 451 more problems');
  for (const length of [150, 200_000]) {
    const fixes = Array.from({ length }, () => 0);
    const wrong = read({ failed_analyses: [{ ...failed, potential_fixes: fixes }, failed] });
    expect(wrong.answer?.failed_analyses).toHaveLength(1);
    expect(wrong.problems.length).toBeGreaterThan(0);
  }
});

it('survives nesting without end', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const json = `{"failed_analyses": [${deep}, {"test": ${deep}}, ${JSON.stringify(failed)}]}`;
  const { answer, problems } = read(json);
  expect(answer?.failed_analyses).toHaveLength(1);
  expect(problems).toHaveLength(2);
});

it('takes control characters and secrets out', () => {
  const hypothesis = '\u001b[31mThe key is ksk_0123456789.\u0000\nReally.';
  const { answer } = read({ failed_analyses: [{ ...failed, root_cause_hypothesis: hypothesis }] }, (text) =>
    text.replace(/ksk_\w+/, '[secret]'),
  );
  expect(answer?.failed_analyses[0]?.root_cause_hypothesis).toBe('[31mThe key is [secret].\nReally.');
  const hidden = (text: string) => text.replaceAll('hunter2hunter2', '[secret]');
  expect(read({ '\u001b[31mhunter2hunter2': 1, patterns: [] }, hidden).problems).toEqual([
    '` [31m[secret]` is not part of an answer; left out',
  ]);
  expect(read('hunter2hunter2 is the key', hidden).problems[0]).not.toContain('hunter2');
  expect(read(`{"patterns": [hunter2hunter2]}`, hidden).problems[0]).not.toContain('hunter2');
});
