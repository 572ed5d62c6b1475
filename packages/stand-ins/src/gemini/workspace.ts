import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { NotSupported } from '../shared/refusal.js';
import { REFUSED } from './refused.js';

/** Folders that nothing is read from, even inside the workspace. */
const BLOCKED = new Set(['.git', '.env', 'node_modules']);

/** The folder that Gemini CLI works in, and what it may touch. */
export class Workspace {
  readonly root: string;
  readonly isRepository: boolean;
  /** Where it keeps what belongs to the project, and what every project shares. */
  readonly #temp: string;
  readonly #globalMemory: string;

  constructor(root: string, { temp, gemini }: { temp: string; gemini: string }) {
    this.root = root;
    this.isRepository = isInRepository(root);
    this.#temp = temp;
    this.#globalMemory = join(gemini, 'GEMINI.md');
  }

  /** Why a path must not be touched, in the words of Gemini CLI. */
  problemOf(path: string): string | undefined {
    const real = realPath(resolve(this.root, path));
    if (isBelow(this.root, real) && !isBlocked(relative(this.root, real))) return undefined;
    if (isBelow(realPath(this.#temp), real) || real === realPath(this.#globalMemory)) return undefined;
    return `Path not in workspace: Attempted path "${path}" resolves outside the allowed workspace directories: ${this.root} or the project temp directory: ${this.#temp}`;
  }

  /** Refuses to list or read what ignore files leave out. */
  refuseIgnored(paths: readonly string[]): void {
    if (existsSync(join(this.root, '.geminiignore'))) throw new NotSupported(REFUSED.geminiIgnore);
    const asked = paths.filter((path) => isBelow(this.root, path));
    if (!this.isRepository || asked.length === 0) return;
    const [ignored] = ignoredByGit(asked, this.root);
    if (ignored !== undefined) throw new NotSupported(`${REFUSED.gitIgnored} ${relative(this.root, ignored)}`);
  }

  /** Refuses where the agent would receive a folder that it comes to. */
  refuseContext(path: string): void {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    for (let folder = isFolder ? path : dirname(path); folder !== this.root; folder = dirname(folder)) {
      if (!isBelow(this.root, folder)) return;
      const file = join(folder, 'GEMINI.md');
      if (existsSync(file)) throw new NotSupported(`${REFUSED.contexts} ${relative(this.root, file)}`);
    }
  }
}

function ignoredByGit(paths: readonly string[], cwd: string): string[] {
  try {
    const input = `${paths.join('\0')}\0`;
    const options = { cwd, input, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], options)
      .split('\0')
      .filter((path) => path !== '');
  } catch {
    // Nothing is ignored, or there is no git.
    return [];
  }
}

/** Whether a path is a folder or below it. */
function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
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

/** Whether a folder, or one above it, is a git repository. */
function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder));
}
