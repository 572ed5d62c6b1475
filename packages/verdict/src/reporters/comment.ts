import { cut, withoutColors } from '@understudy/kit';
import { compareRuns, type RunDifference } from '../results/compare-runs.js';
import { seconds } from '../results/duration.js';
import { type EntryResult, isRed } from '../results/entry-result.js';
import { isolationText } from '../results/isolation.js';
import { placeText } from '../results/matrix.js';
import type { RunResult } from '../results/run-result.js';
import { describeFailure } from './describe-result.js';
import { failureSentence } from './failure-summary.js';
import { code, fence, folded, listed, prose, sections } from './markdown/text.js';

/** GitHub and GitLab take comments of 65,536 and of a million characters. */
const LONGEST_COMMENT = 60_000;
const LONGEST_FAILURE = 12_000;
const SHOWN = 20;

/** By this line a bot finds its own comment, to write it anew instead of adding another. */
const COMMENT_MARK = '<!-- understudy -->';

/** A comment for a pull request: the verdict, what changed against the base, the first failure in full, the others. */
export function writeComment(run: RunResult, base?: RunResult): string {
  const mark = run.exit_code === 0 ? '🟢' : run.exit_code === 1 ? '🔴' : '⚪';
  const difference = base === undefined ? undefined : compareRuns(base, run);
  const [first, ...others] = inOrder(run, difference);
  const { passed, total, unjudged, flaky, expected_failures: expected, skipped } = run.counts;
  const facts = [
    `${passed + flaky} of ${total} passed`,
    ...Object.entries({ unjudged, flaky, 'failed as expected': expected, skipped }).flatMap(([word, count]) =>
      count > 0 ? [`${count} ${word}`] : [],
    ),
    seconds(run.duration_ms),
    ...(run.isolation === undefined ? [] : [prose(isolationText(run.isolation))]),
  ];
  const text = sections([
    COMMENT_MARK,
    `### ${mark} understudy ${run.command}: ${prose(run.verdict)}`,
    facts.join(' · '),
    difference === undefined ? '' : describeChanges(difference),
    first === undefined
      ? ''
      : sections([
          `**${prose(cut(first.name, 200))}** (${prose(placeText(first))})`,
          fence(cut(withoutColors(describeFailure(first)), LONGEST_FAILURE)),
        ]),
    others.length === 0
      ? ''
      : folded(`${others.length} more ${others.length === 1 ? 'failure' : 'failures'}`, short(others, failureSentence)),
  ]);
  return `${cut(text, LONGEST_COMMENT)}\n`;
}

/** What this change broke comes first. */
function inOrder({ entries }: RunResult, difference: RunDifference | undefined): EntryResult[] {
  const red = entries.filter(isRed);
  const known = new Set(difference?.stillFailing.map(({ after }) => after));
  return [...red.filter((entry) => !known.has(entry)), ...red.filter((entry) => known.has(entry))];
}

function describeChanges(difference: RunDifference): string {
  const { newlyFailing, newAndFailing, stillFailing, fixed, slower, moreTokens, added, removed } = difference;
  const after = (pairs: RunDifference['fixed']) => pairs.map((pair) => pair.after);
  const counts = [
    ['newly failing', newlyFailing.length + newAndFailing.length],
    ['still failing', stillFailing.length],
    ['fixed', fixed.length],
    ['slower', slower.length],
    ['with more tokens', moreTokens.length],
    ['new', added.length],
    ['gone', removed.length],
  ] as const;
  const changed = counts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  if (changed.length === 0) return 'Against the base: no change.';
  const part = (title: string, entries: readonly EntryResult[]) =>
    entries.length === 0 ? '' : listed(title, names(entries));
  return sections([
    `Against the base: ${changed.join(', ')}.`,
    part('Newly failing:', [...after(newlyFailing), ...newAndFailing]),
    part('Fixed:', after(fixed)),
    part('Gone:', removed),
  ]);
}

function names(entries: readonly EntryResult[]): string[] {
  const shown = entries.slice(0, SHOWN).map(({ name, agent }) => `${code(cut(name, 200))} ${prose(agent)}`);
  return entries.length > SHOWN ? [...shown, `… and ${entries.length - SHOWN} more`] : shown;
}

function short(entries: readonly EntryResult[], why: (entry: EntryResult) => string): string {
  const lines = entries
    .slice(0, SHOWN)
    .map((entry) => `- ${code(cut(entry.name, 200))} ${prose(entry.agent)}: ${prose(cut(why(entry), 300))}`);
  const rest = entries.length - SHOWN;
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n');
}
