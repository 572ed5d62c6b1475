import { type EntryResult, isRed } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { suiteOf } from './suite.js';

type Command = NonNullable<RunResult['quick_fix_commands']>[number];

/** Commands that help after a failure. */
export function suggestCommands(entries: readonly EntryResult[]): Command[] {
  return entries
    .filter((entry) => isRed(entry) && entry.status !== 'interrupted')
    .flatMap((entry) => [
      { description: `Run ${entry.id} alone`, command: entry.rerun },
      ...(suiteOf(entry)?.commands(entry) ?? []),
    ]);
}
