import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { tell } from './teller.js';

/**
 * A recorded call is a folder: `start` (who was called by whom, with which words), what went in and out of it, and
 * `end`. A stand-in writes the folder itself, a real CLI has the recorder before it. Times are those of the files.
 */

/** The variable that names the folder for recorded calls. Without it, none are recorded. */
export const CALLS_VARIABLE = 'UNDERSTUDY_CALLS';

/** The variable that gives a stand-in the number of its call. */
export const CALL_VARIABLE = 'UNDERSTUDY_CALL';

export type CallStream = 'stdin' | 'stdout' | 'stderr';

/** One call as it was recorded. A stream that was not recorded is absent. */
export interface RecordedCall extends Partial<Record<CallStream, string>> {
  /** From 1, in the order of the starts. Absent for a start that asks no model, such as `claude --version`. */
  number?: number;
  pid: number;
  /** The process that started it; the command is empty where it is not known. */
  parent: { pid: number; command: string };
  cwd: string;
  /** The program's name and its arguments. */
  words: readonly string[];
  startedAt: number;
  /** What a stand-in could not do, and the real program could. */
  unsupported?: string;
  /** Absent: it had not ended, or was killed before it could be recorded. */
  ended?: { at: number; code: number | null; signal: string | null };
}

/** What the folder of a start that asks no model begins with. */
export const OTHER = 'other-';

/** Makes the folder of the next call. The first who makes a folder has its number. */
export function claimCall(folder: string, asks: boolean): { number: number; folder: string } {
  mkdirSync(folder, { recursive: true });
  const prefix = asks ? '' : OTHER;
  for (let number = lastNumber(folder, prefix) + 1; ; number++) {
    const own = join(folder, `${prefix}${number}`);
    try {
      mkdirSync(own);
      return { number, folder: own };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The highest number that somebody has; with many calls, trying all of them would take time. */
function lastNumber(folder: string, prefix: string): number {
  const numbers = namesIn(folder).flatMap((name) =>
    name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [],
  );
  return Math.max(0, ...numbers.filter(Number.isInteger));
}

/** Writes that a call began. */
export function writeStart(folder: string, { pid, parent, cwd, words }: Omit<RecordedCall, 'number' | 'startedAt'>) {
  const text = [pid, parent.pid, parent.command, cwd, ...words].map((field) => `${field}\0`).join('');
  tell('start', text);
  writeFileSync(join(folder, 'start'), text);
}

/** Writes that a call ended: `exit 0`, `signal 15`. */
export function writeEnd(folder: string, how: { code: number } | { signal: NodeJS.Signals }): void {
  const text = 'code' in how ? `exit ${how.code}` : `signal ${constants.signals[how.signal]}`;
  if (!tell('end', `${text}\n`)) writeFileSync(join(folder, 'end'), `${text}\n`);
}

/** Writes what a stand-in could not do. */
export function writeUnsupported(folder: string, what: string): void {
  if (!tell('unsupported', what)) writeFileSync(join(folder, 'unsupported'), what);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Words that make any of the programs print something about itself, and end. */
export const tellingWords: readonly string[] = [
  ...['--version', '-v', '-V', '--help', '-h', 'mcp', 'extensions', 'update'],
  ...['--list-sessions', '--list-extensions', '-l', '--delete-session'],
];

/** Whether a start asks the model: by one of the words for that. In a terminal, a program without such a word opens its screen. */
export function asksModel(asking: readonly string[], words: readonly string[], terminal: boolean): boolean {
  if (words.some((word) => asking.includes(word))) return true;
  return (terminal || asking.includes('*')) && !words.some((word) => tellingWords.includes(word));
}
