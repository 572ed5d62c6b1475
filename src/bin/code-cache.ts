import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type NodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from 'node:vm';

/**
 * A third of a short command is the engine's reading of our code. It can keep what it made of it: `node_modules/.cache`
 * has a file for each command, which is written at the end of its first run. Where nothing can be written, or
 * NODE_DISABLE_COMPILE_CACHE is set, the code is read as ever. Code from there cannot `import()` packages: see `lazyRequire`.
 * What a command has not run is not in it, so a run that does next to nothing should not be the one that `keeps` it.
 */
export function useCodeCache(command: string, { keeps = true, worstExit = 1 } = {}): void {
  const own = dirname(fileURLToPath(import.meta.url));
  const folder = cacheFolder(dirname(dirname(own)));
  // What a user types may be anything; the name of a command is a word.
  if (!/^[a-z][a-z0-9-]{1,19}$/.test(command) || isSet('NODE_DISABLE_COMPILE_CACHE') || folder === undefined) return;
  const file = join(folder, `${command}-${process.version}-${process.arch}`);
  const kept = readParts(file);
  const scripts = new Map<string, Script>();
  let isComplete = true;

  // A long run would forget how it began before we can keep it.
  const isNew = kept.size === 0;
  if (isNew && !(keeps && canBeMade(folder))) return;
  if (isNew) setFlag('--no-flush-bytecode');
  loadWith(own, (name, code, path) => {
    const cachedData = kept.get(name);
    const script = compile(code, path, cachedData);
    if (cachedData === undefined || script.cachedDataRejected === true) isComplete = false;
    scripts.set(name, script);
    return script;
  });

  process.on('exit', (exitCode) => {
    // What ended with a wrong command line has not run the command.
    if (isComplete || !keeps || exitCode > worstExit || !canBeMade(folder)) return;
    // The engine takes back only what was made with the flags that it has then.
    if (isNew) setFlag('--flush-bytecode');
    for (const [name, script] of scripts) kept.set(name, script.createCachedData());
    for (const name of kept.keys()) if (!existsSync(join(own, name))) kept.delete(name);
    writeParts(file, kept);
  });
}

function setFlag(flag: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

function isSet(name: string): boolean {
  return (process.env[name] ?? '') !== '';
}

/** Where tools that are installed by npm keep such things: with the installed packages. */
function cacheFolder(ownPackage: string): string | undefined {
  const packages =
    basename(dirname(ownPackage)) === 'node_modules' ? dirname(ownPackage) : join(ownPackage, 'node_modules');
  return existsSync(packages) ? join(packages, '.cache', 'agent-understudy') : undefined;
}

type Internals = typeof NodeModule & { wrap(code: string): string } & {
  prototype: NodeJS.Module & { _compile(code: string, path: string, ...more: unknown[]): unknown };
};

/**
 * Files of ours whose name has a digest of what is in them: other code has another name. Those that every run of a program
 * or a command needs have its name (scripts/static-core.mjs). What is kept is read at every start, so the others, which
 * are small and which few runs need, would cost more than they save.
 */
const HASHED = /^understudy-.*-[\w-]{8}\.c?js$/;

/** Lets our files of this folder be compiled by us, as bundlers and loaders do it. */
function loadWith(own: string, compiled: (name: string, code: string, path: string) => Script): void {
  const { prototype, wrap } = process.getBuiltinModule('node:module') as Internals;
  const compileAsEver = prototype._compile;
  prototype._compile = function compileOurs(code, path, ...more) {
    const name = basename(path);
    if (dirname(path) !== own || !HASHED.test(name)) return compileAsEver.call(this, code, path, ...more);
    const run = compiled(name, wrap(code), path).runInThisContext() as (...args: unknown[]) => unknown;
    return run.call(this.exports, this.exports, (id: string): unknown => this.require(id), this, path, own);
  };
}

function compile(code: string, filename: string, cachedData: Buffer | undefined): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  return new Script(code, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
}

/** Whether there is a chance to write into the folder: making what is kept takes longer than it saves. */
function canBeMade(folder: string): boolean {
  const nearest = [folder, dirname(folder), dirname(dirname(folder))].find(existsSync) ?? folder;
  try {
    accessSync(nearest, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The engine wants parts to begin at a multiple of this. */
const STEP = 8;
const aligned = (size: number): number => Math.ceil(size / STEP) * STEP;

/**
 * A file has the length of its head, the head (names and sizes) and the parts, and then all of it again: the engine would
 * run what is damaged, and to compare is thirty times as fast as a checksum.
 */
function readParts(file: string): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  try {
    const bytes = readFileSync(file);
    const half = bytes.length / 2;
    if (!bytes.subarray(0, half).equals(bytes.subarray(half))) return parts;
    const start = STEP + bytes.readUInt32LE(0);
    let offset = aligned(start);
    for (const [name, size] of JSON.parse(bytes.toString('latin1', STEP, start)) as [string, number][]) {
      parts.set(name, bytes.subarray(offset, offset + size));
      offset += aligned(size);
    }
  } catch {
    // There is none yet, or it is no such file.
  }
  return parts;
}

function writeParts(file: string, parts: ReadonlyMap<string, Buffer>): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    removeOld(dirname(file));
    const head = Buffer.from(JSON.stringify([...parts].map(([name, { length }]) => [name, length])), 'latin1');
    const length = Buffer.alloc(STEP);
    length.writeUInt32LE(head.length);
    const padded = [head, ...parts.values()].flatMap((part) => [
      part,
      Buffer.alloc(aligned(part.length) - part.length),
    ]);
    const bytes = Buffer.concat([length, ...padded]);
    writeFileSync(temporary, Buffer.concat([bytes, bytes]));
    renameSync(temporary, file);
  } catch {
    // A disk that is full or cannot be written to: the next run reads the code as this one did.
    removeQuietly(temporary);
  }
}

const DAYS_KEPT = 30;

/** Files of versions that nobody has any more, and what a process that was killed left. */
function removeOld(folder: string): void {
  const oldest = Date.now() - DAYS_KEPT * 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < oldest) removeQuietly(path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Another process was faster, or it cannot be written to.
  }
}
