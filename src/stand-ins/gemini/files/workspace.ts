import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { FolderContext } from './folder-context.js';
import { isBelow } from './is-below.js';

/** Folders that nothing is read from, even inside the workspace. */
const BLOCKED = new Set(['.git', '.env', 'node_modules']);

/** A folder of `--include-directories` that cannot be one, in the words of Gemini CLI. */
export class FolderProblem extends Error {
  readonly folder: string;

  constructor(folder: string, problem: string) {
    super(problem);
    this.folder = folder;
  }
}

/** The workspace of folders as they were given; the first one is where Gemini CLI was started. */
export function openWorkspace(
  given: readonly string[],
  { temp, gemini, home }: { temp: string; gemini: string; home: string },
): Workspace {
  const root = given[0] ?? '/';
  const folders = given.map((folder) => {
    const wanted = folder.replace(/^~(?=\/|$)/, home);
    const path = resolve(root, wanted);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) throw new FolderProblem(wanted, `Directory does not exist: ${path}`);
    if (!stats.isDirectory()) throw new FolderProblem(wanted, `Path is not a directory: ${path}`);
    return realPath(path);
  });
  return new Workspace(folders, temp, gemini);
}

/** The folders that Gemini CLI works in, and what it may touch. */
export class Workspace {
  /** The folder that it was started in, and those of `--include-directories`, without symbolic links. */
  readonly folders: readonly string[];
  /** Where it keeps what belongs to the project. */
  readonly temp: string;
  readonly context: FolderContext;
  readonly #globalMemory: string;

  constructor(folders: readonly string[], temp: string, gemini: string) {
    this.folders = [...new Set(folders)];
    this.temp = temp;
    this.context = new FolderContext(this.folders);
    this.#globalMemory = join(gemini, 'GEMINI.md');
  }

  /** The folder that Gemini CLI was started in. */
  get root(): string {
    return this.folders[0] ?? '/';
  }

  /** Why a path must not be touched, in the words of Gemini CLI. */
  problemOf(path: string): string | undefined {
    const real = realPath(resolve(this.root, path));
    const folder = this.folders.find((candidate) => isBelow(candidate, real));
    if (folder !== undefined && !isBlocked(relative(folder, real))) return undefined;
    if (isBelow(realPath(this.temp), real) || real === realPath(this.#globalMemory)) return undefined;
    return `Path not in workspace: Attempted path "${path}" resolves outside the allowed workspace directories: ${this.folders.join(', ')} or the project temp directory: ${this.temp}`;
  }
}

/** The path without symbolic links, also of something that does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

function isBlocked(path: string): boolean {
  return path
    .toLowerCase()
    .split('/')
    .some((name) => BLOCKED.has(name) || /^gha-creds-.*\.json$/.test(name));
}
