import { cut, paint } from '@understudy/kit';
import { latestRun, readRun } from '@understudy/runner';
import {
  allTokens,
  type ComparedEntry,
  compareRuns,
  type EntryResult,
  failureSentence,
  isRed,
  seconds,
} from '@understudy/verdict';
import { print, printJson } from './output.js';

interface DiffOptions {
  last?: true;
  json?: true;
}

/** Holds a run against an earlier one: 1 when something fails that did not fail before. */
export function diffReports(
  before: string | undefined,
  after: string | undefined,
  { last, json }: DiffOptions,
): number {
  const one = last === true || before === undefined ? latestRun(1) : readRun(before);
  const other = after === undefined ? latestRun(0) : readRun(after);
  const difference = compareRuns(one.run, other.run);
  const { newlyFailing, stillFailing, fixed, slower, moreTokens, newAndFailing, added, removed } = difference;
  const code = newlyFailing.length + newAndFailing.length > 0 ? 1 : 0;
  if (json === true) {
    const names = (pairs: readonly ComparedEntry[]) => pairs.map(({ after: { id } }) => id);
    printJson({
      newly_failing: [...names(newlyFailing), ...newAndFailing.map(({ id }) => id)],
      still_failing: names(stillFailing),
      fixed: names(fixed),
      slower: slower.map(({ before: { id, duration_ms: was }, after: { duration_ms: is } }) => ({ id, was, is })),
      more_tokens: moreTokens.map(({ before: was, after: is }) => ({
        id: is.id,
        was: allTokens(was),
        is: allTokens(is),
      })),
      added: added.map(({ id }) => id),
      removed: removed.map(({ id }) => id),
    });
    return code;
  }
  const why = ({ after: entry }: Pick<ComparedEntry, 'after'>) => cut(failureSentence(entry), 300);
  section('newly failing', paint.red, [...newlyFailing, ...newAndFailing.map((entry) => ({ after: entry }))], why);
  section('still failing', paint.red, stillFailing, why);
  section('fixed', paint.green, fixed, () => '');
  section(
    'slower',
    paint.yellow,
    slower,
    ({ before: was, after: is }) => `${seconds(was.duration_ms)} → ${seconds(is.duration_ms)}`,
  );
  section(
    'more tokens',
    paint.yellow,
    moreTokens,
    ({ before: was, after: is }) => `${allTokens(was)} → ${allTokens(is)}`,
  );
  section(
    'new',
    paint.cyan,
    // Those that fail are named above.
    added.filter((entry) => !isRed(entry)).map((entry) => ({ after: entry })),
    () => '',
  );
  section(
    'gone',
    paint.yellow,
    removed.map((entry) => ({ after: entry })),
    () => '',
  );
  print(`${one.run.verdict} → ${other.run.verdict}`);
  return code;
}

function section<T extends { after: EntryResult }>(
  title: string,
  color: (text: string) => string,
  pairs: readonly T[],
  more: (pair: T) => string,
): void {
  if (pairs.length === 0) return;
  print(color(`${title}: ${pairs.length}`));
  for (const pair of pairs) print(`  ${pair.after.name} ${paint.dim(`${pair.after.agent} ${more(pair)}`.trim())}`);
  print();
}
