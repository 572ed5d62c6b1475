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
  importedFiles,
  isBroken,
  loadRehearsals,
  playableRehearsals,
  type Rehearsal,
} from '@understudy/runner';
import { exportLine } from './export-line.js';
import { lineMap } from './line-map.js';

/** What is wrong with a file: where, and in words. */
export interface ToldProblem {
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
export function testsOf(path: string, { player, ...options }: TestsOptions) {
  const file = relative('.', path);
  const [loaded] = loadRehearsals([file]);
  if (loaded === undefined) throw new Error(`nothing was loaded from ${file}`);
  const { entries } = playableRehearsals([loaded], options);
  const lines = ["import { test } from 'vitest';", `import { play, fail } from ${JSON.stringify(player)};`];
  const places: (number | undefined)[] = [undefined, undefined];
  for (const entry of entries) {
    const call = isBroken(loaded)
      ? `() => fail(${literal(problemsOf(loaded.error, file))})`
      : `(context) => play(${literal(entry)}, context)`;
    // The steps have times of their own.
    lines.push(`test(${JSON.stringify(nameOf(entry, entries))}, { timeout: 0 }, ${call});`);
    places.push(isBroken(loaded) ? 1 : lineOf(loaded));
  }
  return { code: `${lines.join('\n')}\n`, map: lineMap(path, places), reads: importedFiles(file) };
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

function lineOf({ file, source }: Rehearsal): number {
  if (isModuleFile(file)) return exportLine(file);
  return createLocator(source)(['name'])?.line ?? 1;
}

function problemsOf(error: UnderstudyError, file: string): ToldProblem[] {
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
