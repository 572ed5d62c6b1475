import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isStringList, readIfThere } from '../../document/json.js';
import { findFiles } from '../shared/tools/search.js';
import { Unsupported } from './refusal.js';
import { type Config, readsClaudeFiles } from './settings/config.js';
import { type Places, upwards } from './settings/places.js';

/** The files with instructions: those that the model is told at once, and those of folders to which it comes later. */
export class Instructions {
  readonly #places: Places;
  readonly #names: readonly string[];
  readonly #told: Set<string>;

  constructor({ values }: Config, places: Places, env: NodeJS.ProcessEnv) {
    const withClaude = readsClaudeFiles(env);
    this.#places = places;
    this.#names = ['AGENTS.md', ...(withClaude ? ['CLAUDE.md'] : []), 'CONTEXT.md'];
    const ofUser = [
      join(places.user, 'AGENTS.md'),
      ...(withClaude ? [join(places.home, '.claude', 'CLAUDE.md')] : []),
    ].find((file) => existsSync(file));
    const listed = isStringList(values['instructions']) ? values['instructions'] : [];
    this.#told = new Set([
      ...(ofUser === undefined ? [] : [ofUser]),
      ...this.#ofProject(),
      ...listed.flatMap((pattern) => this.#listed(pattern)),
    ]);
  }

  /** What the model is told of them, one text each. */
  get texts(): string[] {
    return [...this.#told].flatMap((file) => textOf(file) ?? []);
  }

  /** The instructions of the folders of a file, up to the one in which OpenCode runs; each is told once. */
  besides(path: string): { files: string[]; text: string } {
    const { cwd } = this.#places;
    const folders = path.startsWith(`${cwd}/`) ? upwards(dirname(path), cwd).filter((folder) => folder !== cwd) : [];
    const files = folders.flatMap((folder) => this.#in(folder) ?? []);
    const untold = files.filter((file) => file !== path && !this.#told.has(file) && textOf(file) !== undefined);
    for (const file of untold) this.#told.add(file);
    const texts = untold.map((file) => textOf(file)).join('\n\n');
    return { files: untold, text: texts === '' ? '' : `\n\n<system-reminder>\n${texts}\n</system-reminder>` };
  }

  /** Those of an earlier turn are known. */
  markTold(files: readonly string[]): void {
    for (const file of files) this.#told.add(file);
  }

  #in(folder: string): string | undefined {
    return this.#names.map((name) => join(folder, name)).find((file) => existsSync(file));
  }

  /** Of the names, only the first counts that there is anywhere. */
  #ofProject(): string[] {
    const { cwd, worktree, ignoresProject } = this.#places;
    if (ignoresProject) return [];
    const folders = upwards(cwd, worktree);
    const found = this.#names.map((name) =>
      folders.map((folder) => join(folder, name)).filter((file) => existsSync(file)),
    );
    return found.find((files) => files.length > 0) ?? [];
  }

  #listed(pattern: string): string[] {
    if (/^https?:\/\//.test(pattern)) throw new Unsupported(`instructions at an address (${pattern})`);
    const { cwd, worktree, home, user, ignoresProject } = this.#places;
    const path = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern;
    if (isAbsolute(path)) return filesIn(dirname(path), basename(path));
    const folders = ignoresProject ? [user] : upwards(cwd, worktree);
    return folders.flatMap((folder) => filesIn(folder, path));
  }
}

/** A name without any pattern is not searched for: the folder can be large. */
function filesIn(folder: string, pattern: string): string[] {
  if (!/[*?[{]/.test(pattern)) {
    const file = resolve(folder, pattern);
    return existsSync(file) ? [file] : [];
  }
  const fixed = dirname(/^[^*?[{]*/.exec(pattern)?.[0] ?? '');
  const prefix = pattern.includes('/') && fixed !== '.' ? fixed : '';
  return findFiles(join(folder, prefix), pattern.slice(prefix === '' ? 0 : prefix.length + 1)).sort();
}

function textOf(file: string): string | undefined {
  const text = readIfThere(file);
  return text === undefined || text === '' ? undefined : `Instructions from: ${file}\n${text}`;
}
