import { type CheckResult, hasPassed } from '@understudy/verdict';
import { describeResults } from './describe-results.js';

/** Whether an expectation held, and if not, why. */
export interface Verdict {
  passed: boolean;
  /** For whoever reads a failed test; empty if it passed. */
  text: string;
}

/** Judges the checks of one expectation. What could not be judged fails, with `not` too. */
export function verdictOf(results: readonly CheckResult[], isNot = false): Verdict {
  const unjudged = results.filter(({ status }) => status === 'unjudged');
  const wrong =
    isNot && results.every(hasPassed) ? results : isNot ? unjudged : results.filter((one) => !hasPassed(one));
  return { passed: wrong.length === 0, text: describeResults(wrong, isNot) };
}
