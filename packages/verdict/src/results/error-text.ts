import { describeProblem } from '@understudy/kit';
import type { EntryResult } from './entry-result.js';

type EntryError = NonNullable<EntryResult['error']>;

const MOST_PROBLEMS = 20;

/** What kept the harness from its job; of a file that cannot be loaded every problem, with its lines and its fix. */
export function errorText({ message, problems = [] }: EntryError): string {
  const rest = problems.length - MOST_PROBLEMS;
  return [
    message,
    ...problems.slice(0, MOST_PROBLEMS).map(describeProblem),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n\n');
}

/** The fix of the whole. Where there are problems, each has its own in the text. */
export function errorFix({ fix, problems = [] }: EntryError): string | undefined {
  return problems.length > 0 ? undefined : fix;
}

/** The error in a line: its code, and the first problem of a file. */
export function errorSentence({ code, message, problems: [first] = [] }: EntryError): string {
  return `${code}: ${message}${first === undefined ? '' : `: ${first.message}`}`;
}
