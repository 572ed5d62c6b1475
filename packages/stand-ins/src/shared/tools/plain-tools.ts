import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileRegex, type GenericTool, type LinearRegex } from '@understudy/script';
import { countOccurrences, replaceText, writeText } from './files.js';
import { findFiles, searchFiles } from './search.js';
import { runShell, type ShellOptions, type ShellRun } from './shell.js';

/** The result of a tool that was really run. */
export interface LiveResult {
  text: string;
  isError: boolean;
  /** What the shell printed and how it ended; no exit code when it was killed. */
  shell?: { output: string; exit: number | null; running?: true };
  /** What the CLI shows its user, where that is not what it sends the model; empty when it shows nothing. */
  shown?: string | undefined;
  /** The stand-in does not have this tool. */
  notRun?: true;
  /** What kind of error it is, in the CLI's words. */
  errorType?: string;
  /** The files that a patch has changed, and the differences. */
  patch?: { changes: readonly FileChange[]; diff: string };
  /** What the CLI adds to the result (OpenCode). */
  metadata?: Record<string, unknown>;
  /** How many lines a tool has added to files, and removed from them. */
  lines?: { added: number; removed: number };
}

export interface FileChange {
  path: string;
  kind: 'add' | 'delete' | 'update';
}

export interface LiveContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export type ToolInput = Record<string, unknown>;

/** A tool that really runs. Its arguments have the generic names. */
export type LiveTool = (input: ToolInput, context: LiveContext) => Promise<LiveResult>;

/** The tools that really run: the generic ones, and a CLI's own by name. */
export type LiveTools = Readonly<Record<GenericTool, LiveTool> & { [own: string]: LiveTool | undefined }>;

/** The tools with results in plain words. A CLI that is known to word one otherwise replaces it. */
export const plainTools: LiveTools = {
  shell: shellTool((timeoutMs) => `\nThe command timed out after ${timeoutMs} ms.`),
  read: fileTool((path) => readFileSync(path, 'utf8')),
  write: fileTool((path, { content }) => {
    writeText(path, String(content ?? ''));
    return 'Wrote file successfully.';
  }),
  edit: editTool({
    missing: (path) => `File ${path} not found`,
    noMatch: 'Could not find the old text in the file.',
    manyMatches: 'The old text is in the file more than once.',
  }),
  glob: searchTool((root, { pattern }) => findFiles(root, String(pattern ?? '')), 'No files found'),
  grep: searchTool(
    (root, { pattern, include }) =>
      searchFiles(root, linear(String(pattern ?? '')), String(include ?? '')).flatMap(({ path, lines, matched }) =>
        matched.map((at) => `${path}:${at + 1}: ${lines[at]}`),
      ),
    'No matches found',
  ),
};

interface ShellToolOptions extends Pick<ShellOptions, 'untilClosed'> {
  /** What the CLI sets for each command. */
  variables?: Record<string, string>;
}

/** A shell tool; `timeoutNote` words what it says behind the output when the time was over. */
export function shellTool(
  timeoutNote: (timeoutMs: number) => string,
  { untilClosed = false, variables = {} }: ShellToolOptions = {},
): LiveTool {
  return async ({ command, timeout }, { cwd, env: base }) => {
    const env = { ...base, ...variables };
    const timeoutMs = typeof timeout === 'number' ? timeout : 120_000;
    let run: ShellRun;
    try {
      run = await runShell(String(command ?? ''), { cwd, env, timeoutMs, untilClosed });
    } catch (error) {
      return { text: (error as Error).message, isError: true, shell: { output: '', exit: 127 } };
    }
    const { output, exitCode, timedOut } = run;
    return {
      text: timedOut ? `${output}${timeoutNote(timeoutMs)}` : output,
      isError: exitCode !== 0,
      shell: { output, exit: timedOut ? null : exitCode },
    };
  };
}

/** A tool that works on one file. What it throws is its error. */
export function fileTool(work: (path: string, input: ToolInput) => string): LiveTool {
  return async (input, { cwd }) => {
    const { path } = input;
    if (typeof path !== 'string' || path === '') return { text: 'The path is missing.', isError: true };
    return attempt(() => work(resolve(cwd, path), input));
  };
}

/** The edit tool, with a CLI's own words for what can go wrong. */
export function editTool(words: { missing(path: string): string; noMatch: string; manyMatches: string }): LiveTool {
  return fileTool((path, input) => {
    const before = readOr(path, () => words.missing(path));
    const old = String(input['old'] ?? '');
    const found = countOccurrences(before, old);
    const all = input['all'] === true;
    if (found === 0) throw new Error(words.noMatch);
    if (found > 1 && !all) throw new Error(words.manyMatches);
    writeText(path, replaceText(before, old, String(input['new'] ?? ''), all));
    return 'Edit applied successfully.';
  });
}

/** The text of a file. One that is not there is an error in a CLI's own words. */
export function readOr(path: string, missing: () => string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(missing());
    throw error;
  }
}

function searchTool(search: (root: string, input: ToolInput) => string[], nothing: string): LiveTool {
  return async (input, { cwd }) => {
    const root = resolve(cwd, String(input['path'] ?? '.'));
    return attempt(() => search(root, input).join('\n') || nothing);
  };
}

function linear(pattern: string): LinearRegex {
  const regex = compileRegex(pattern);
  if ('refused' in regex) throw new Error(`regex parse error: ${regex.refused}`);
  return regex;
}

function attempt(work: () => string): LiveResult {
  try {
    return { text: work(), isError: false };
  } catch (error) {
    return { text: (error as Error).message, isError: true };
  }
}
