import type { EntryResult } from '../results/entry-result.js';
import { causesOf } from './causes.js';
import { describeRedCheck } from './red-checks.js';

/** Why an entry is red, in a sentence: for formats that have one field for it. */
export function failureSentence(entry: EntryResult): string {
  if (entry.error !== undefined) return `${entry.error.code}: ${entry.error.message}`;
  const [first] = causesOf(entry);
  if (first !== undefined) return describeRedCheck(first);
  const missed = entry.steps.find(({ reached }) => !reached);
  if (missed !== undefined) return `step ${missed.number} was not reached: the conversation had ended`;
  return entry.reason ?? (entry.status === 'unjudged' ? 'nothing was checked' : entry.status);
}

/** `file:line` of the first expectation that did not hold; the file alone where there is none. */
export function failureLocation(entry: EntryResult): { file: string; line?: number; column?: number } | undefined {
  const found = causesOf(entry).find(({ check }) => check.defined_at !== undefined)?.check.defined_at;
  if (found !== undefined) return { file: found.file, line: found.line, column: found.column };
  return entry.file === undefined ? undefined : { file: entry.file };
}
