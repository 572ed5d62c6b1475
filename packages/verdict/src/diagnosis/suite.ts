import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import type { Diagnosis, Quality, Recommendation } from '../results/sections.js';
import type { Finding } from './rules/rule.js';

/** A text that an agent said. */
export interface Spoken {
  text: string;
}

/** A way to pass without doing the work. */
export interface LoopholeKind {
  title: string;
  pattern: string;
  /** Where it was observed in an entry. */
  seen(entry: EntryResult): string[];
  suggestedCounter: string;
  /** A name for a test that closes it. */
  newTest(id: string): string;
}

/** A kind of excuse. It is one only where the facts contradict it. */
export interface Excuse {
  says: RegExp;
  /** What was the case instead; undefined when nothing contradicts the agent. */
  reality(entry: EntryResult, spoken: Spoken): string | undefined;
  action: string;
}

/** What a suite knows about entries that have a context, which only it can read. */
export interface SuiteDiagnosis {
  /** The cause, where a rule of the suite finds it. It comes before those of conversations. */
  explain(entry: EntryResult): Finding | undefined;
  /** What the suite makes of failed checks that no rule explains. */
  explainRest(entry: EntryResult): Finding | undefined;
  /** What belongs to every diagnosis of this type as evidence. */
  remarks(entry: EntryResult, type: Diagnosis['failure_type']): string[];
  /** How well an entry passed. */
  quality(entry: EntryResult): Quality | undefined;
  loopholes: readonly LoopholeKind[];
  excuses: readonly Excuse[];
  /** What the agents of an entry said. */
  spoken(entry: Pick<EntryResult, 'steps' | 'context'>): Spoken[];
  /** Commands that show what a red entry left. */
  commands(entry: EntryResult): NonNullable<RunResult['quick_fix_commands']>;
  /** What the entries of a run together suggest. */
  recommend(entries: readonly EntryResult[]): Recommendation[];
}

let known: SuiteDiagnosis | undefined;

/** Suites stand above this package: they register what they know. */
export function registerDiagnosis(suite: SuiteDiagnosis): void {
  known = suite;
}

/** The suite that can read the context of an entry; nothing for an entry that has none. */
export function suiteOf({ context }: Pick<EntryResult, 'context'>): SuiteDiagnosis | undefined {
  if (context === undefined) return undefined;
  if (known === undefined) throw new Error('no suite is registered that can read the context of an entry');
  return known;
}

/** The suites of a run. */
export function suitesOf(entries: readonly Pick<EntryResult, 'context'>[]): SuiteDiagnosis[] {
  return [...new Set(entries.flatMap((entry) => suiteOf(entry) ?? []))];
}
