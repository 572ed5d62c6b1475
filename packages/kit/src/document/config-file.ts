import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { shellWord } from '../process/shell-word.js';
import { CONFIG_FILE } from './endings.js';

let named: string | undefined;
let searchPaths: readonly string[] = [];

/** `--config FILE`: this file counts everywhere, and nothing is searched for. Without a file: the search again. */
export function useConfigFile(file: string | undefined): void {
  named = file;
}

/** The flag that chooses the same file again. */
export function configFlag(): string[] {
  return named === undefined ? [] : [`--config ${shellWord(named)}`];
}

/**
 * The understudy.toml of a folder: in it, or in the nearest folder above. The search ends at the top of the repository
 * and below the home of the user. A file of another user is not taken: in a shared folder anybody could put one.
 */
export function configFileOf(folder: string): string | undefined {
  if (named !== undefined) return named;
  const start = resolve(folder);
  const home = realHome();
  for (let at = start; ; at = dirname(at)) {
    if (at !== start && at === home) return undefined;
    const file = join(at, CONFIG_FILE);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined) return at === start || isOfUser(stats, start) ? relative('.', file) : undefined;
    if (existsSync(join(at, '.git')) || at === dirname(at)) return undefined;
  }
}

/** The paths that a command got: the understudy.toml of the folder that holds them all is the one of the command. */
export function searchConfigFor(paths: readonly string[]): void {
  searchPaths = paths;
}

/** The understudy.toml of the command that runs: that of its paths, else that of the current folder. */
export function configFile(): string | undefined {
  const [first, ...others] = searchPaths.map(folderOf);
  if (first === undefined) return configFileOf('.');
  return configFileOf(others.reduce(commonFolder, first)) ?? configFileOf('.');
}

function folderOf(path: string): string {
  const absolute = resolve(path);
  return statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true ? absolute : dirname(absolute);
}

function commonFolder(one: string, other: string): string {
  const way = relative(one, other);
  return way === '' || !way.startsWith('..') ? one : commonFolder(dirname(one), other);
}

/** In a container, the files of a checkout may belong to whoever made it. */
function isOfUser({ uid }: Stats, start: string): boolean {
  const own = process.getuid?.();
  if (own === undefined || uid === own || uid === 0) return true;
  return uid === statSync(start, { throwIfNoEntry: false })?.uid;
}

function realHome(): string {
  const home = homedir();
  return existsSync(home) ? realpathSync(home) : home;
}
