import { type EntryResult, isRed } from './entry-result.js';
import type { RunResult } from './run-result.js';

/** One test in two runs. */
export interface ComparedEntry {
  before: EntryResult;
  after: EntryResult;
}

/** What is different between two runs. */
export interface RunDifference {
  newlyFailing: ComparedEntry[];
  stillFailing: ComparedEntry[];
  fixed: ComparedEntry[];
  /** Ran in both, and took much longer in the second. */
  slower: ComparedEntry[];
  /** Used many more tokens in the second. */
  moreTokens: ComparedEntry[];
  /** Failed the first time that it is in a run. */
  newAndFailing: EntryResult[];
  added: EntryResult[];
  removed: EntryResult[];
}

/** Half as long again, and more than any machine varies. */
const SLOWER_FACTOR = 1.5;
const SLOWER_MS = 1_000;
/** A prompt that grew by less is an ordinary change. */
const MORE_TOKENS_FACTOR = 1.1;
const MORE_TOKENS = 100;

/** Holds a run against an earlier one, test by test. */
export function compareRuns(before: RunResult, after: RunResult): RunDifference {
  const earlier = new Map(before.entries.map((entry) => [keyOf(entry), entry]));
  const later = new Set(after.entries.map(keyOf));
  const both = after.entries.flatMap((entry) => {
    const own = earlier.get(keyOf(entry));
    return own === undefined ? [] : [{ before: own, after: entry }];
  });
  const added = after.entries.filter((entry) => !earlier.has(keyOf(entry)));
  return {
    newlyFailing: both.filter((pair) => !isRed(pair.before) && isRed(pair.after)),
    stillFailing: both.filter((pair) => isRed(pair.before) && isRed(pair.after)),
    fixed: both.filter((pair) => isRed(pair.before) && isGreen(pair.after)),
    slower: both.filter(({ before: one, after: other }) => isGreen(one) && isGreen(other) && isSlower(one, other)),
    moreTokens: both.filter(({ before: one, after: other }) => isGreen(one) && isGreen(other) && usesMore(one, other)),
    newAndFailing: added.filter(isRed),
    added,
    removed: before.entries.filter((entry) => !later.has(keyOf(entry))),
  };
}

function keyOf({ id, stage, round }: EntryResult): string {
  return JSON.stringify([id, stage, round]);
}

/** A test that was skipped is neither fixed nor fast. */
function isGreen({ status }: EntryResult): boolean {
  return status === 'passed' || status === 'flaky';
}

function isSlower(before: EntryResult, after: EntryResult): boolean {
  const more = after.duration_ms - before.duration_ms;
  return more > SLOWER_MS && after.duration_ms > before.duration_ms * SLOWER_FACTOR;
}

/** All tokens of a test; undefined when they were not reported. */
export function allTokens({ usage }: EntryResult): number | undefined {
  if (usage?.input_tokens === undefined && usage?.output_tokens === undefined) return undefined;
  return (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
}

function usesMore(before: EntryResult, after: EntryResult): boolean {
  const [was, is] = [allTokens(before), allTokens(after)];
  return was !== undefined && is !== undefined && is - was > MORE_TOKENS && is > was * MORE_TOKENS_FACTOR;
}
