import { statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import {
  asUnderstudyError,
  createLocator,
  InvalidDocumentError,
  isModuleFile,
  type UnderstudyError,
} from '@understudy/kit';
import {
  type Entry,
  type EntryOptions,
  isBroken,
  loadRehearsals,
  playableRehearsals,
  type Rehearsal,
} from '@understudy/runner';
import { exportLine } from './export-line.js';

/** What is wrong with a file: where, and in words. */
export interface TestProblem {
  message: string;
  file: string;
  line: number;
  column: number;
}

export interface TestsOptions extends Pick<EntryOptions, 'agents' | 'stage' | 'isolation'> {
  /** The module that plays an entry. */
  player: string;
}

/** The test file that stands for a rehearsal, with the lines to which its tests belong, and what it is made of. */
export function rehearsalTests(path: string, { player, ...options }: TestsOptions) {
  const file = relative('.', path);
  const loaded = loadRehearsals([file]);
  const lines = ["import { test } from 'vitest';", `import { play, fail } from ${JSON.stringify(player)};`];
  const places: (number | undefined)[] = [undefined, undefined];
  const made = loaded.map((one) => ({ one, own: playableRehearsals([one], options).entries }));
  const all = made.flatMap(({ own }) => own);
  for (const { one, own } of made) {
    for (const entry of own) {
      const call = isBroken(one)
        ? `() => fail(${literal(problemsOf(one.error, file))})`
        : `(context) => play(${literal(entry)}, context)`;
      // The steps have times of their own.
      lines.push(`test(${JSON.stringify(nameOf(entry, all))}, { timeout: 0 }, ${call});`);
      places.push(isBroken(one) ? 1 : lineOf(one));
    }
  }
  // Plugins are folders: what changes in them does not change the tests.
  const reads = new Set(all.flatMap(({ parts = [] }) => parts.filter((part) => !isFolder(part))));
  return { code: `${lines.join('\n')}\n`, map: lineMap(path, places), reads };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Data as code: a text in it cannot end its line. */
function literal(value: unknown): string {
  return JSON.stringify(value)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

function nameOf(entry: Entry, entries: readonly Entry[]): string {
  const { agent, name, file } = entry;
  const shown = name === file ? basename(name) : name;
  return entries.some((other) => other !== entry && other.name === name) ? `${shown} [${agent}]` : shown;
}

function lineOf({ file, source, row }: Rehearsal): number {
  if (isModuleFile(file)) return exportLine(file);
  const path = row === undefined ? ['name'] : row.file === undefined ? ['each', row.index] : ['each'];
  return createLocator(source)(path)?.line ?? 1;
}

function problemsOf(error: UnderstudyError, file: string): TestProblem[] {
  if (!(error instanceof InvalidDocumentError)) {
    return [{ message: worded(asUnderstudyError(error)), file, line: 1, column: 1 }];
  }
  return error.problems.map((problem) => {
    const { file: at = file, line, column = 1 } = problem.location;
    const path = line === undefined && problem.path !== '' ? `${problem.path}: ` : '';
    return { message: path + worded(problem), file: at, line: line ?? exportLine(at), column };
  });
}

function worded({ code, message, fix }: { code: string; message: string; fix?: string | undefined }): string {
  return `${message} [${code}]${fix === undefined ? '' : `\nfix: ${fix}`}`;
}

/** A source map for code whose lines each belong to a line of a file, from 1, or to none. */
function lineMap(file: string, lines: readonly (number | undefined)[]) {
  let last = 0;
  const mappings = lines.map((line) => {
    if (line === undefined) return '';
    const segment = [0, 0, line - 1 - last, 0].map(toVlq).join('');
    last = line - 1;
    return segment;
  });
  return { version: 3, names: [], sources: [basename(file)], mappings: mappings.join(';') };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Five bits in each digit, the lowest first; the sign is the lowest bit of all. */
function toVlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[digit + (rest > 0 ? 32 : 0)];
  } while (rest > 0);
  return text;
}
