import type { CheckResult } from '../checks/result.js';
import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import type { Metrics } from '../results/sections.js';
import type { TimelineTurn } from './html/timeline-turn.js';

/** A part of a report: Markdown that a reader opens, or a line where there is nothing to open. */
export interface ReportSection {
  title: string;
  markdown?: string;
}

/** What a passed entry needed; `more` says in a word that it was more than expected. */
export interface Measure {
  name: string;
  actual: string;
  expected?: string;
  more?: string | undefined;
  /** It is a column of the table of those that passed as they should. */
  column?: true;
}

/** How a suite shows entries that have a context, which only it can read. */
export interface SuiteView {
  /** The program under test, in a line of a terminal and in a report. */
  names(orchestrator: NonNullable<RunResult['orchestrator']>): { short: string; long: string };
  /** Everything that was observed. */
  sections(entry: EntryResult): ReportSection[];
  /** What a failed entry shows in addition to its checks. */
  failureSections(entry: EntryResult): ReportSection[];
  /** The text that a check looked at, and the words that it looked for. */
  lookedAt(check: CheckResult, entry: EntryResult): { text: string; words: string } | undefined;
  measures(metrics: Metrics): Measure[];
  /** What the timeline shows after the conversation. */
  turns(entry: EntryResult): TimelineTurn[];
}

let known: SuiteView | undefined;

/** Suites stand above this package: they register how they are shown. */
export function registerView(view: SuiteView): void {
  known = view;
}

/** The view of what only a suite writes into a result. */
export function suiteView(): SuiteView {
  if (known === undefined) throw new Error('no suite is registered that can show this result');
  return known;
}
