import type { Path, UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import {
  type Check,
  fieldsOf,
  inScope,
  type KnownNames,
  type ObservedRunStep,
  type Place,
  reviewAll,
} from '../define-check.js';
import { nowhere, turnChecks } from '../expectation.js';
import type { CheckResult } from '../result.js';
import { unsupported } from '../unsupported.js';
import { callsMade } from './calls-made.js';
import { programEnd } from './end.js';
import { noService, outlived, time } from './run-checks.js';
import { programOutput } from './text-checks.js';

/** All that can be expected of a program, in the order in which it is judged and shown. */
export const runChecks = [
  programEnd,
  programOutput,
  callsMade,
  ...turnChecks,
  time,
  outlived,
  noService,
  unsupported,
] as const;

/** What must hold after a program has run. */
export const runExpectationSchema = z.strictObject(fieldsOf(runChecks, 'run'));
export type RunExpectation = z.infer<typeof runExpectationSchema>;

/** Holds a `run` step against what was expected. That it ends with 0 and leaves nothing behind always is. */
export function checkRunExpectations(
  seen: Omit<ObservedRunStep, 'turn' | 'all' | 'number' | 'workflow'> & { events: ObservedRunStep['turn'] },
  expect: RunExpectation = {},
  place: Place = nowhere,
  own: readonly Check[] = [],
): CheckResult[] {
  const step = { ...seen, turn: seen.events, all: seen.events, number: 0, workflow: undefined };
  return [...inScope(runChecks, 'run'), ...own].flatMap((check) => check.judge(step, expect, place));
}

/** Finds expectations of a program that could never fail or never hold. */
export function reviewRunExpectation(
  expect: RunExpectation,
  path: Path,
  known: Omit<KnownNames, 'stages'>,
  own: readonly Check[] = [],
): UnlocatedProblem[] {
  return reviewAll([...inScope(runChecks, 'run'), ...own], expect, { ...known, stages: 'none' }, path);
}
