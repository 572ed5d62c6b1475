import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { InvalidDocumentError, type SourceLocation, UnderstudyError } from '../errors.js';
import { codeFrame, linesOf } from './code-frame.js';
import { defined } from './defined.js';
import { fixOf } from './import-part.js';
import type { Path } from './path.js';
import { locateProblems } from './problems.js';
import type { Source } from './source.js';

/** What one module gave: its default export as plain data, with what in it is not; or why there is none. */
type ModuleOutcome =
  | { value: unknown; odd: { path: Path; kind: string }[] }
  | { absent: true }
  | { thrown: { name: string; message: string; code?: string; stack: string } }
  | { ended: number };

const PATIENCE_MS = 20_000;

/**
 * Reads documents that are the default exports of modules. They are imported in a thread of their own, one after the
 * other: nothing of them stays, a changed module is read anew, and one that never settles can be ended. What they print
 * goes to stderr.
 */
export function readModules(files: readonly string[], patienceMs = PATIENCE_MS): Map<string, Source | UnderstudyError> {
  const read = new Map<string, Source | UnderstudyError>();
  const there = files.filter((file) => existsSync(file));
  for (const file of files) if (!there.includes(file)) read.set(file, noSuchFile(file));
  while (there.length > 0) {
    const thread = new Thread(there);
    let told: ModuleOutcome | undefined;
    do {
      const file = there.shift() as string;
      told = thread.next(patienceMs);
      read.set(file, toSource(file, told, patienceMs));
    } while (there.length > 0 && told !== undefined && !('ended' in told));
    thread.end();
  }
  return read;
}

/** Reads one document that is the default export of a module. Throws what is wrong with it. */
export function readModule(file: string): Source {
  const [source] = readModules([file]).values();
  if (source === undefined || source instanceof Error) throw source;
  return source;
}

class Thread {
  readonly #worker: Worker;
  readonly #port;
  readonly #count = new Int32Array(new SharedArrayBuffer(4));

  constructor(files: readonly string[]) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const urls = files.map((file) => pathToFileURL(resolve(file)).href);
    this.#worker = new Worker(IMPORTER, {
      eval: true,
      workerData: { urls, port: port2, count: this.#count },
      transferList: [port2],
    });
    this.#worker.unref();
  }

  /** Waits for what the next module gave; nothing: it takes too long. */
  next(patienceMs: number): ModuleOutcome | undefined {
    for (const end = Date.now() + patienceMs; ; ) {
      const before = Atomics.load(this.#count, 0);
      const received = receiveMessageOnPort(this.#port) as { message: ModuleOutcome } | undefined;
      if (received !== undefined) return received.message;
      if (Date.now() >= end) return undefined;
      Atomics.wait(this.#count, 0, before, end - Date.now());
    }
  }

  end(): void {
    this.#port.close();
    this.#worker.terminate().catch(() => {});
  }
}

/** Code from our cache cannot `import()`, but what a thread is given as text can (src/bin/code-cache.ts). */
const IMPORTER = `
const { workerData: { urls, port, count } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const tell = (told) => { port.postMessage(told); Atomics.add(count, 0, 1); Atomics.notify(count, 0); };
for (const stream of [process.stdout, process.stderr]) stream.write = (text) => { writeSync(2, text); return true; };
process.on('exit', (code) => tell({ ended: code }));
const plain = (value, path, above, odd) => {
  const type = typeof value;
  if (value === null || type === 'string' || type === 'boolean' || Number.isFinite(value)) return value;
  const refuse = (kind) => { odd.push({ path, kind }); return null; };
  if (type !== 'object') return refuse(type === 'number' || type === 'undefined' ? String(value) : 'a ' + type);
  if (above.includes(value)) return refuse('a table that contains itself');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return Array.from(value, (one, i) => plain(one, [...path, i], [...above, value], odd));
  const own = Object.getPrototypeOf(value);
  if (own !== null && own !== Object.prototype) return refuse('a ' + (own.constructor?.name ?? 'object of a class'));
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)
    .map(([key, one]) => [key, plain(one, [...path, key], [...above, value], odd)]));
};
const read = async (url) => {
  try {
    const given = await (await import(url)).default;
    if (given === undefined || given === null) return { absent: true };
    const odd = [];
    return { value: plain(given, [], [], odd), odd };
  } catch (error) {
    const { name, message, code, stack } = Object(error);
    const text = (one, other) => typeof one === 'string' ? one : other;
    return { thrown: { name: text(name, ''), message: text(message, String(error)), code: text(code), stack: text(stack, '') } };
  }
};
(async () => { for (const url of urls) tell(await read(url)); })();
`;

function toSource(file: string, told: ModuleOutcome | undefined, patienceMs: number): Source | UnderstudyError {
  if (told === undefined) {
    const fix = 'Look for an `await` at its top, or a loop, that never ends.';
    return unusable(file, `the module has not settled after ${patienceMs / 1000} s`, fix);
  }
  if ('absent' in told) {
    return unusable(file, 'the module has no default export', 'Write `export default` before the rehearsal.');
  }
  if ('ended' in told) {
    const why = told.ended === 0 ? 'it called `process.exit`, or an `await` never settles' : `with ${told.ended}`;
    return unusable(file, `the module ended before it gave a rehearsal: ${why}`, 'Let it export data, and end.');
  }
  if ('thrown' in told) return notImported(file, told.thrown);
  if (told.odd.length === 0) return { value: told.value, file };
  const findings = told.odd.map(({ path, kind }) => ({
    code: 'WRONG_TYPE' as const,
    message: `${path.length === 0 ? 'the default export' : `\`${path.at(-1)}\``} is ${article(kind)}, and a rehearsal is data`,
    fix: /regexp/i.test(kind)
      ? 'Write `{ type: "regex", pattern: "…" }`.'
      : 'Write a text, a number, true or false, a list or a table.',
    path,
  }));
  return new InvalidDocumentError('SCENARIO_INVALID', file, locateProblems({ file }, findings));
}

function unusable(file: string, message: string, fix: string, location: SourceLocation = { file }): UnderstudyError {
  const problem = { code: 'PART_UNUSABLE' as const, message, fix, path: '', location };
  const { line, column = 1, file: at = file } = location;
  const frame = line === undefined ? undefined : codeFrame(linesOf(readFileSync(at, 'utf8')), line, column);
  return new InvalidDocumentError('PART_UNUSABLE', file, [{ ...problem, ...defined({ frame }) }]);
}

function article(kind: string): string {
  return kind.replace(/^a (?=[AEIOU])/, 'an ');
}

function notImported(
  file: string,
  error: { name: string; message: string; code?: string; stack: string },
): UnderstudyError {
  const fix = fixOf(error.code, error.message, file);
  return unusable(file, `the module cannot be imported: ${error.message.split('\n')[0]}`, fix, placeOf(file, error));
}

/** The first line of the user's own in the stack. Node shows the line of a syntax mistake only to who asks for it. */
function placeOf(file: string, { name, stack }: { name: string; stack: string }): SourceLocation & { file: string } {
  const text = name === 'SyntaxError' && !stack.startsWith('file:') ? checkSyntax(file) : stack;
  const found = /(file:\/\/\/[^\s:)]+|^\/[^\n:]+):(\d+)(?::(\d+))?/m.exec(text);
  if (found === null) return { file };
  const [, at = '', line, column] = found;
  const path = at.startsWith('file:') ? fileURLToPath(at) : at;
  if (!existsSync(path)) return { file };
  const marker = column ?? (/\n( *)\^/.exec(text)?.[1]?.length ?? 0) + 1;
  return { file: path === resolve(file) ? file : path, line: Number(line), column: Number(marker) };
}

function checkSyntax(file: string): string {
  return spawnSync(process.execPath, ['--check', resolve(file)], { encoding: 'utf8', timeout: 10_000 }).stderr ?? '';
}

function noSuchFile(file: string): UnderstudyError {
  return new UnderstudyError('FILE_NOT_FOUND', `there is no file ${file}`, {
    fix: 'Check the path. It is relative to the current folder.',
    location: { file },
  });
}
