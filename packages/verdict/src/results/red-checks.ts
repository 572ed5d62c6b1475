import { type CheckResult, hasPassed } from '../checks/result.js';
import type { EntryResult } from './entry-result.js';

/** A check that did not pass, and its step. */
export interface RedCheck {
  step?: number;
  check: CheckResult;
}

/** All checks that did not pass, those of the steps first. */
export function redChecks({ steps, checks }: Pick<EntryResult, 'steps' | 'checks'>): RedCheck[] {
  return [
    ...steps.flatMap(({ number, checks: own }) =>
      own.filter((check) => !hasPassed(check)).map((check) => ({ step: number, check })),
    ),
    ...checks.filter((check) => !hasPassed(check)).map((check) => ({ check })),
  ];
}

/** `step 2, tools: any: expected one of Glob, seen no tool was used` */
export function describeRedCheck({ step, check }: RedCheck): string {
  const where = step === undefined ? '' : `step ${step}, `;
  return `${where}${check.name}: expected ${check.expected}, seen ${check.actual}`;
}
