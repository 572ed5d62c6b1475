import { type CheckResult, describeChecks, hasPassed } from '@understudy/verdict';

/** Whether an expectation held, and if not, why. */
export interface Verdict {
  passed: boolean;
  /** For whoever reads a failed test; empty if it passed. */
  text: string;
}

/** Judges the checks of one expectation. What could not be judged, or could never be otherwise, fails, with `not` too. */
export function verdictOf(results: readonly CheckResult[], isNot = false): Verdict {
  const blind = results.filter((one) => one.status === 'unjudged' || one.unknown_names !== undefined);
  const wrong = isNot ? (blind.length > 0 ? blind : heldAgainst(results)) : results.filter((one) => !hasPassed(one));
  return { passed: wrong.length === 0, text: describeChecks(wrong) };
}

/** All of them held, and should not. */
function heldAgainst(results: readonly CheckResult[]): CheckResult[] {
  if (!results.every(hasPassed)) return [];
  return results.map(({ suggestion: _, ...result }) => ({ ...result, expected: `not: ${result.expected}` }));
}
