import { field, type Path, type UnlocatedProblem } from '@understudy/kit';
import { RefusedPattern } from '@understudy/script';
import { defineCheck, givenAt, type ObservedCallStep, type Place } from '../define-check.js';
import type { ObservedRun } from '../observed.js';
import { type CheckResult, statusOf } from '../result.js';
import { asksNothing } from '../review-expected.js';
import { cutText, lastLines } from './cut-text.js';
import { readJsonPath } from './json-path.js';
import { type TextExpectation, textConditions, textExpectationSchema } from './text-expectation.js';

export const programOutput = defineCheck({
  fields: {
    stdout: field(
      'What the program writes to stdout: a text that it contains, a pattern, or several conditions.',
      textExpectationSchema,
    ),
    stderr: field('What the program writes to stderr, in the same way.', textExpectationSchema),
  },
  scopes: ['run'],
  judge: ({ run }, expect, place) =>
    OUTPUT.flatMap((name) => givenAt(place)([name], expect[name], (wanted) => checkStream(run, name, wanted))),
  review: (expect) => OUTPUT.flatMap((name) => reviewText(expect[name], [name])),
});

const OUTPUT = ['stdout', 'stderr'] as const;

export const callPrompt = defineCheck({
  fields: { prompt: field('What it was asked.', textExpectationSchema) },
  scopes: ['call'],
  judge: (seen, { prompt }, place) => checkTextOf('prompt', seen, prompt, place),
  review: ({ prompt }) => reviewText(prompt, ['prompt']),
});

export const callStreams = defineCheck({
  fields: {
    stdin: field('What it was given on stdin.', textExpectationSchema),
    stdout: field('What it wrote to stdout.', textExpectationSchema),
    stderr: field('What it wrote to stderr.', textExpectationSchema),
  },
  scopes: ['call'],
  judge: (seen, expect, place) => STREAMS.flatMap((name) => checkTextOf(name, seen, expect[name], place)),
  review: (expect) => STREAMS.flatMap((name) => reviewText(expect[name], [name])),
});

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

function checkTextOf(
  name: 'prompt' | 'stdin' | 'stdout' | 'stderr',
  { call }: ObservedCallStep,
  wanted: TextExpectation | undefined,
  place: Place,
): CheckResult[] {
  const text = call[name];
  const unknown = `${name} was not recorded: it was a terminal, or the agent did not read it`;
  return givenAt(place)([name], wanted, (expected) =>
    checkText(text, expected, { name, number: call.number, unknown }),
  );
}

/** What a stream of the program must hold: one result for each condition. */
export function checkStream(run: ObservedRun, stream: 'stdout' | 'stderr', expected: TextExpectation): CheckResult[] {
  return checkText(run[stream], expected, { name: stream, number: 1 });
}

/** What a text must hold; `undefined` is a text that is not known. */
export function checkText(
  text: string | undefined,
  expected: TextExpectation,
  { name, number, unknown = 'it was not recorded' }: { name: string; number: number; unknown?: string },
): CheckResult[] {
  return textConditions(expected).map(({ words, holds }) => ({
    name,
    category: 'output',
    subject: { kind: 'output', of: 'program', number, words },
    status: text === undefined ? 'unjudged' : statusOf(holds(text)),
    expected: words,
    actual: text === undefined ? unknown : text.trim() === '' ? 'it is empty' : cutText(text.trim()),
    evidence: text === undefined ? [] : lastLines(text),
  }));
}

/** A path that is none, a pattern that cannot be used, and a text of which nothing is asked. */
export function reviewText(expected: TextExpectation | undefined, path: Path): UnlocatedProblem[] {
  if (expected === undefined) return [];
  const paths = typeof expected === 'object' && 'json' in expected ? Object.keys(expected.json ?? {}) : [];
  const wrong = paths.filter((one) => readJsonPath(one) === undefined);
  if (wrong.length > 0) {
    const message = `\`${wrong[0]}\` is not a path into a JSON document`;
    const fix = 'Write names and indexes: calls[0].agent, or ["a key"] for other names.';
    return [{ code: 'INVALID_VALUE', message, fix, path: [...path, 'json'] }];
  }
  try {
    return textConditions(expected).length === 0 ? [{ ...asksNothing(String(path.at(-1))), path }] : [];
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    const message = `this regular expression cannot be used: ${error.message}`;
    return [{ code: 'PATTERN_REFUSED', message, fix: 'Rewrite it.', path }];
  }
}
