import type { Diagnosis } from '../../results/schema.js';
import type { FailedCase, ReportedAssertion } from './failed-case.js';

/** What a rule found out. The failed assertions are evidence in any case and need no rule. */
export interface Explanation {
  hypothesis: string;
  /** What was seen, quoted. */
  evidence: readonly string[];
  investigations: readonly string[];
  fixes: Diagnosis['potential_fixes'];
}

/** One way to fail. The first rule that can explain a case does. */
export interface Rule {
  type: Diagnosis['failure_type'];
  explain(failed: FailedCase): Explanation | undefined;
}

/** How sure a fix is: the cause was seen, it is likely, or it is one of several. */
export const SEEN = 0.8;
export const LIKELY = 0.6;
export const POSSIBLE = 0.3;

/** A failed assertion as evidence. */
export function tellAssertion({ name, expected, actual }: ReportedAssertion): string {
  return `${name}: expected ${expected}, got ${actual === '' ? 'nothing' : actual}`;
}
