import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

/**
 * A recorded call is a folder: `start` (who was called by whom, with which words), what went in and out of it, and
 * `end`. A stand-in writes the folder itself, a real CLI has the recorder before it. Times are those of the files.
 */

/** The variable that names the folder for recorded calls. Without it, none are recorded. */
export const CALLS_VARIABLE = 'UNDERSTUDY_CALLS';

/** The variable that tells a stand-in the number of its call. */
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
  writeFileSync(
    join(folder, 'start'),
    [pid, parent.pid, parent.command, cwd, ...words].map((field) => `${field}\0`).join(''),
  );
}

/** Writes that a call ended: `exit 0`, `signal 15`. */
export function writeEnd(folder: string, how: { code: number } | { signal: NodeJS.Signals }): void {
  const text = 'code' in how ? `exit ${how.code}` : `signal ${constants.signals[how.signal]}`;
  writeFileSync(join(folder, 'end'), `${text}\n`);
}

/** Writes what a stand-in could not do. */
export function writeUnsupported(folder: string, what: string): void {
  writeFileSync(join(folder, 'unsupported'), what);
}

/** All starts in a folder: first the calls in order, then those that asked no model. */
export function readCallFiles(folder: string): RecordedCall[] {
  const found = namesIn(folder).flatMap((name) => {
    const [, other, number] = /^(other-)?(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [{ name, asks: other === undefined, number: Number(number) }];
  });
  return found
    .sort((a, b) => Number(b.asks) - Number(a.asks) || a.number - b.number)
    .flatMap(({ name, asks, number }) => readCall(join(folder, name), asks ? number : undefined) ?? []);
}

function readCall(folder: string, number: number | undefined): RecordedCall | undefined {
  const read = (name: string) => readIfThere(join(folder, name))?.toString('utf8');
  const [pid, parentPid, parentCommand = '', cwd = '', ...words] = read('start')?.split('\0').slice(0, -1) ?? [];
  // It has only just begun.
  if (pid === undefined) return undefined;
  const call: RecordedCall = {
    ...(number === undefined ? {} : { number }),
    ...{ pid: Number(pid), parent: { pid: Number(parentPid), command: parentCommand }, cwd, words },
    startedAt: timeOf(join(folder, 'start')),
  };
  for (const name of ['stdin', 'stdout', 'stderr', 'unsupported'] as const) {
    const text = read(name);
    if (text !== undefined) call[name] = text;
  }
  const [, kind, value] = /^(exit|signal) (\d+)\n$/.exec(read('end') ?? '') ?? [];
  if (kind === undefined) return call;
  const at = timeOf(join(folder, 'end'));
  const ended = kind === 'exit' ? { code: Number(value), signal: null } : { code: null, signal: signalName(value) };
  return { ...call, ended: { at, ...ended } };
}

function signalName(number: string | undefined): string {
  const [name] = Object.entries(constants.signals).find(([, value]) => value === Number(number)) ?? [];
  return name ?? `signal ${number}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function timeOf(file: string): number {
  return statSync(file).mtimeMs;
}

/** The words with which each program asks its model; `*` stands for all but those that only tell something. */
export const askingWords: Readonly<Record<string, readonly string[]>> = {
  // The Agent SDKs start it without -p.
  claude: ['-p', '--print', '--input-format', '--output-format'],
  opencode: ['run'],
  codex: ['exec', 'e', 'review'],
  gemini: ['*'],
  'kiro-cli': ['chat'],
};

/** Words that make any of the programs tell something about itself, and end. */
export const tellingWords: readonly string[] = [
  ...['--version', '-v', '-V', '--help', '-h', 'mcp', 'extensions', 'update'],
  ...['--list-sessions', '--list-extensions', '-l', '--delete-session'],
];

/** Whether a start asks the model. In a terminal, a program without such a word opens its screen. */
export function asksModel(program: string, words: readonly string[], terminal: boolean): boolean {
  const asking = askingWords[program] ?? ['*'];
  if (words.some((word) => asking.includes(word))) return true;
  return (terminal || asking.includes('*')) && !words.some((word) => tellingWords.includes(word));
}
