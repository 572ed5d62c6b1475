import { causesOf } from '../results/causes.js';
import type { EntryResult } from '../results/entry-result.js';
import { errorSentence } from '../results/error-text.js';
import { describeRedCheck } from '../results/red-checks.js';

/** Why an entry did not pass although it is not red, in a sentence. */
export function describeReason({ status, reason }: Pick<EntryResult, 'status' | 'reason'>): string | undefined {
  return status === 'expected_failure' ? `failed as expected: ${reason}` : reason;
}

/** Why an entry is red, in a sentence: for formats that have one field for it. */
export function failureSentence(entry: EntryResult): string {
  if (entry.error !== undefined) return errorSentence(entry.error);
  const [first] = causesOf(entry);
  if (first !== undefined) return describeRedCheck(first);
  const missed = entry.steps.find(({ reached }) => !reached);
  if (missed !== undefined) return `step ${missed.number} was not reached: the conversation had ended`;
  return entry.reason ?? (entry.status === 'unjudged' ? 'nothing was checked' : entry.status);
}

type FailureLocation = { file: string; line?: number | undefined; column?: number | undefined };

/** `file:line` of the first problem of a file, or of the first expectation that did not hold; else the file alone. */
export function failureLocation(entry: EntryResult): FailureLocation | undefined {
  const { file = entry.file, ...place } = entry.error?.problems?.[0]?.location ?? {};
  if (file !== undefined && place.line !== undefined) return { file, ...place };
  const found = causesOf(entry).find(({ check }) => check.defined_at !== undefined)?.check.defined_at;
  if (found !== undefined) return { file: found.file, line: found.line, column: found.column };
  return entry.file === undefined ? undefined : { file: entry.file };
}
