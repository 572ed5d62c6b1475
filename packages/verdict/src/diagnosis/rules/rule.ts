import type { CheckResult } from '../../checks/result.js';
import type { Diagnosis } from '../../results/sections.js';
import type { FailedEntry } from './failed-entry.js';

/** What a rule found out. The failed checks are evidence in any case; rules need not repeat them. */
export interface Explanation {
  hypothesis: string;
  /** What was observed, quoted. */
  evidence: readonly string[];
  investigations: readonly string[];
  fixes: Diagnosis['potential_fixes'];
}

/** An explanation, and the type of failure that it is. */
export interface Finding extends Explanation {
  type: Diagnosis['failure_type'];
}

/** One way to fail. */
export interface DiagnosisRule<Failed extends FailedEntry = FailedEntry> {
  type: Diagnosis['failure_type'];
  explain(failed: Failed): Explanation | undefined;
}

/** The first rule that can explain an entry does. */
export function firstFinding<Failed extends FailedEntry>(
  rules: readonly DiagnosisRule<Failed>[],
  failed: Failed,
): Finding | undefined {
  for (const { type, explain } of rules) {
    const explanation = explain(failed);
    if (explanation !== undefined) return { type, ...explanation };
  }
  return undefined;
}

/** How sure a fix is: the cause was observed, it is likely, or it is one of several. */
export const SEEN = 0.8;
export const LIKELY = 0.6;
export const POSSIBLE = 0.3;

/** A failed check as evidence. */
export function asEvidence({ name, expected, actual }: CheckResult): string {
  return `${name}: expected ${expected}, got ${actual === '' ? 'nothing' : actual}`;
}
