import { shellWord } from '@understudy/kit';
import type { EntryResult, RunResult } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';

type Command = NonNullable<RunResult['quick_fix_commands']>[number];

/** The files in which a loop keeps its facts, and the pointers to them. */
const RECORDS = [
  { pointer: '.ralph/current-events', what: 'The events that were published' },
  { pointer: '.ralph/current-iterations', what: 'The prompt and the output of each iteration' },
];

/** Commands that show the records of a loop. */
export function readRecords(entry: EntryResult): Command[] {
  const { id, artifacts } = entry;
  if (artifacts === undefined) return [];
  const files = contextOf(entry)?.workspace_files.map(({ path }) => path) ?? [];
  return RECORDS.filter(({ pointer }) => files.includes(pointer)).map(({ pointer, what }) => ({
    description: `${what} in ${id}`,
    command: `cd ${shellWord(artifacts)} && cat "$(cat ${pointer})"`,
  }));
}
