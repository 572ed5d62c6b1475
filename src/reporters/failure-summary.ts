import { type CheckResult, hasPassed } from '../checks/result.js';
import type { EntryResult } from '../results/entry-result.js';

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

/** Why an entry is red, in a sentence: for formats that have one field for it. */
export function failureSentence(entry: EntryResult): string {
  if (entry.error !== undefined) return `${entry.error.code}: ${entry.error.message}`;
  const [first] = redChecks(entry);
  if (first !== undefined) return describeRedCheck(first);
  const missed = entry.steps.find(({ reached }) => !reached);
  if (missed !== undefined) return `step ${missed.number} was not reached: the conversation had ended`;
  return entry.reason ?? (entry.status === 'unjudged' ? 'nothing was checked' : entry.status);
}

/** `file:line` of the first expectation that did not hold; the file alone where there is none. */
export function failureLocation(entry: EntryResult): { file: string; line?: number; column?: number } | undefined {
  const found = redChecks(entry).find(({ check }) => check.defined_at !== undefined)?.check.defined_at;
  if (found !== undefined) return { file: found.file, line: found.line, column: found.column };
  return entry.file === undefined ? undefined : { file: entry.file };
}
