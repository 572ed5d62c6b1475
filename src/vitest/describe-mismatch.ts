import { type CheckResult, hasPassed } from '@understudy/verdict';
import { describeResults, describeTurns } from '../testing/describe-results.js';
import type { Received } from '../testing/observe.js';

/** Why a matcher failed: what was expected, what was seen, and the conversation around it. */
export function describeMismatch(results: readonly CheckResult[], received: Received, isNot: boolean): string {
  // With `not`, all of them held; otherwise those that did not are of interest.
  const told = isNot ? results : results.filter((result) => !hasPassed(result));
  return `${describeResults(told, isNot)}\n\n${describeTurns(received.turns)}`;
}
