import type { ProgramEnd } from '@understudy/kit';
import * as z from 'zod/mini';
import { count, field, type Written } from '../define-check.js';
import { type CheckResult, statusOf } from '../result.js';
import { cutText } from './cut-text.js';
import { type TextExpectation, textConditions } from './text-expectation.js';

/** What was seen of one run of a program. */
export interface ObservedRun extends ProgramEnd {
  /** Absent where it was not looked at. */
  leftovers?: readonly string[] | undefined;
}

/** How the program must end: with 0, unless said otherwise. */
export function checkEnd(
  run: ObservedRun,
  { code, signal }: { code?: number | undefined; signal?: string | undefined },
): CheckResult {
  const wanted = signal ?? code ?? 0;
  const passed = !run.timedOut && (signal === undefined ? run.code === wanted : run.signal === signal);
  return {
    name: signal === undefined ? 'exit code' : 'signal',
    category: 'exit_code',
    subject: { kind: 'exit_code', code: typeof wanted === 'number' ? wanted : -1 },
    status: statusOf(passed),
    expected: typeof wanted === 'number' ? `exit code ${wanted}` : `ended by ${wanted}`,
    actual: describeEnd(run),
    evidence: passed ? [] : lastLines(run.stderr === '' ? run.stdout : run.stderr),
  };
}

export function describeEnd({ code, signal, timedOut, milliseconds }: ObservedRun): string {
  if (timedOut) return `it did not end within ${Math.round(milliseconds)} ms, and was killed`;
  return signal === null ? `exit code ${code}` : `ended by ${signal}`;
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

export const timeSchema = z.strictObject({
  min_ms: field('The least number of milliseconds.', count),
  max_ms: field('The greatest number of milliseconds.', count),
});

/** How long the program may run. */
export function checkTime(
  { milliseconds, timedOut }: ObservedRun,
  { min_ms: min, max_ms: max }: Written<typeof timeSchema>,
): CheckResult {
  const passed = !timedOut && milliseconds >= (min ?? 0) && milliseconds <= (max ?? Number.POSITIVE_INFINITY);
  return {
    name: 'time',
    category: 'time',
    subject: { kind: 'time', milliseconds },
    status: statusOf(passed),
    expected: [min === undefined ? [] : `at least ${min} ms`, max === undefined ? [] : `at most ${max} ms`]
      .flat()
      .join(', '),
    actual: `${Math.round(milliseconds)} ms`,
    evidence: [],
  };
}

/** Which processes may outlive the program: none, one for each of these words of a command line, or any. */
export function checkOutlived(
  { leftovers: left, timedOut }: ObservedRun,
  expected: 'none' | readonly string[],
): CheckResult {
  const wanted = expected === 'none' ? [] : expected;
  const surplus = (left ?? []).filter((command) => !wanted.some((words) => command.includes(words)));
  const missing = wanted.filter((words) => left?.some((command) => command.includes(words)) !== true);
  const passed = surplus.length === 0 && missing.length === 0;
  return {
    name: 'leftovers',
    category: 'processes',
    subject: { kind: 'processes' },
    status: left === undefined ? 'unjudged' : statusOf(passed),
    expected: wanted.length === 0 ? 'no process is left running' : `only ${wanted.join(', ')} is left running`,
    actual: left === undefined ? notKnown(timedOut) : left.length === 0 ? 'none is left' : left.join('; '),
    evidence: [...(left ?? [])],
    ...(passed || left === undefined
      ? {}
      : { suggestion: 'End what the program starts before it ends, and on signals, too; or name it in `leftovers`.' }),
  };
}

function notKnown(timedOut: boolean): string {
  return timedOut ? 'not known: the program had to be killed' : 'not known';
}

/** What the program tried to reach outside of the rehearsal. */
export function checkNoService(reached: readonly string[]): CheckResult {
  return {
    name: 'no real service',
    category: 'calls',
    subject: { kind: 'service', names: [...reached] },
    status: statusOf(reached.length === 0),
    expected: 'the program calls no real agent and no real model',
    actual: reached.length === 0 ? 'none was called' : `it tried ${[...new Set(reached)].join(', ')}`,
    evidence: [...new Set(reached)],
    ...(reached.length === 0
      ? {}
      : {
          suggestion:
            'Name the agent in `agents`, or let the program take the address of the model from its environment.',
        }),
  };
}

const SHOWN_LINES = 12;

function lastLines(text: string): string[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  return lines.length === 0 ? [] : [lines.slice(-SHOWN_LINES).join('\n')];
}
