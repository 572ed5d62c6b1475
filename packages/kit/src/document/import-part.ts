import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { UnderstudyError } from '../errors.js';
import { callPart } from './call-part.js';

type Part = NonNullable<unknown>;
type Module = { default?: unknown };

/** A module that needs longer than this waits for something that does not come. */
const PATIENCE_MS = 10_000;

/** Imports a module that a user wrote, and gives its default export; `what` says what it should be: `reporter`. */
export async function importPart(file: string, what: string, patienceMs: number = PATIENCE_MS): Promise<Part> {
  const path = pathOf(file, what);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = patienceMs / 1000;
    timer = setTimeout(() => reject(new Error(`it had not ended its first run after ${seconds} s`)), patienceMs);
  });
  try {
    return defaultOf(await Promise.race([imported(pathToFileURL(path).href), late]), file, what);
  } catch (error) {
    throw notImported(error, file, what);
  } finally {
    clearTimeout(timer);
  }
}

/** What was required, with the state of its files at that time. */
const required = new Map<string, Loaded>();

interface Loaded {
  state: string;
  module?: Module;
  /** Why there is no module. */
  error?: unknown;
}

/**
 * As `importPart`, for a reader of documents, which does not wait. Node gives a module only once: one that has changed
 * since is an error, never its old self, unless `refreshParts` has imported it anew.
 */
export function requirePart(file: string, what: string): Part {
  const path = pathOf(file, what);
  const state = stateOf(path);
  const known = required.get(path) ?? { state, ...loaded(path) };
  noteImports(known.state);
  required.set(path, known);
  if (known.state !== state) throw changed(file, what);
  if (known.module === undefined) throw notImported(known.error, file, what);
  return defaultOf(known.module, file, what);
}

function loaded(path: string): Pick<Loaded, 'module' | 'error'> {
  try {
    const module = callPart<unknown>(() => createRequire(path)(path));
    return { module: types.isModuleNamespaceObject(module) ? (module as Module) : { default: module } };
  } catch (error) {
    return { error };
  }
}

/** Imports what has changed since it was required. What such a module imports itself is not read again. */
export async function refreshParts(): Promise<void> {
  for (const [path, { state: before }] of required) {
    const state = stateOf(path);
    // One that is gone has no state.
    if (state === '' || state === before || importsOld(state)) continue;
    noteImports(state);
    try {
      required.set(path, { state, module: await imported(`${pathToFileURL(path).href}?${encodeURIComponent(state)}`) });
    } catch (error) {
      required.set(path, { state, error });
    }
  }
}

/** The files of a user's module: itself, and what it imports by relative paths. */
export function filesOfPart(file: string, known: Set<string> = new Set()): string[] {
  const path = resolve(file);
  if (known.has(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [...known];
  known.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(IMPORTED)) {
    filesOfPart(resolve(dirname(path), name), known);
  }
  return [...known];
}

const IMPORTED = /\b(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g;

/** One line for each file: the module itself first. */
function stateOf(path: string): string {
  const line = (file: string) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  };
  return filesOfPart(path).map(line).join('\n');
}

/** What modules imported when they were first loaded: Node gives that only once. */
const imports = new Map<string, string>();

/** Whether a module imports what has changed since it was first imported. */
function importsOld(state: string): boolean {
  return importsIn(state).some(([file, line]) => (imports.get(file) ?? line) !== line);
}

function noteImports(state: string): void {
  for (const [file, line] of importsIn(state)) if (!imports.has(file)) imports.set(file, line);
}

function importsIn(state: string): [file: string, line: string][] {
  const lines = state.split('\n').slice(1);
  return lines.map((line) => [line.replace(/ \S+ \S+$/, ''), line]);
}

async function imported(url: string): Promise<Module> {
  const { importModule } = await import('./import-module.js');
  return (await importModule(url)) as Module;
}

function pathOf(file: string, what: string): string {
  const path = resolve(file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  throw unusable(`there is no file ${file} for ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`, file, 'Check the path.');
}

function defaultOf({ default: part }: Module, file: string, what: string): Part {
  if (part !== undefined && part !== null) return part;
  throw unusable(`${file} has no default export`, file, `Write \`export default\` before the ${what}.`);
}

function changed(file: string, what: string): UnderstudyError {
  const message = `the ${what} ${file}, or what it imports, has changed since it was loaded`;
  return unusable(message, file, 'Start the command again.');
}

function notImported(error: unknown, file: string, what: string): UnderstudyError {
  if (error instanceof UnderstudyError) return error;
  const { code, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  return unusable(
    `the ${what} ${file} cannot be imported: ${message.split('\n')[0]}`,
    file,
    fixOf(code, message, file),
    error,
  );
}

/** What to do about a module that Node refuses. */
export function fixOf(code: string | undefined, message: string, file: string): string {
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || (/\.[cm]?ts$/.test(file) && !runsTypeScript)) {
    return `Node ${process.versions.node} does not run this kind of file: write JavaScript (.mjs), or use Node 22.18 or newer for TypeScript.`;
  }
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node only leaves types out: write it without `enum`, `namespace` and parameter properties.';
  if (code === 'ERR_REQUIRE_ASYNC_MODULE')
    return 'Leave out `await` outside of functions: this module must be there at once.';
  if (/'agent-understudy'/.test(message))
    return 'Install it beside the module: `npm install --save-dev agent-understudy`.';
  return 'Correct the module: `node --check` finds mistakes of syntax.';
}

const runsTypeScript = (process.features as { typescript?: unknown }).typescript !== undefined;

function unusable(message: string, file: string, fix: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PART_UNUSABLE', message, { fix, location: { file }, cause });
}
