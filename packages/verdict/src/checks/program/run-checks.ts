import { field } from '@understudy/kit';
import * as z from 'zod/mini';
import { count, defineCheck, givenAt, type Written, words } from '../define-check.js';
import type { ObservedRun } from '../observed.js';
import { type CheckResult, statusOf } from '../result.js';
import { reviewEmpty } from '../review-expected.js';

const timeSchema = z.strictObject({
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

export const time = defineCheck({
  fields: { time: field('How long the program may run.', timeSchema) },
  scopes: ['run'],
  judge: ({ run }, { time }, place) => givenAt(place)(['time'], time, (limits) => [checkTime(run, limits)]),
  review: ({ time }) => reviewEmpty('time', time),
});

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

/** That nothing is left is always expected, unless said otherwise. */
export const outlived = defineCheck({
  fields: {
    leftovers: field(
      'Processes that may outlive the program: "none" (the default), "any", or a word of the command line of each.',
      z.union([z.enum(['none', 'any']), words]),
    ),
  },
  scopes: ['run'],
  judge: ({ run }, { leftovers = 'none' }, place) =>
    leftovers === 'any' ? [] : place(['leftovers'], [checkOutlived(run, leftovers)]),
});

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

/** It is always expected. */
export const noService = defineCheck({
  fields: {},
  scopes: ['run'],
  judge: ({ reached }) => [checkNoService(reached)],
});
