import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWithin } from './folders.js';

/** What to do about something that is not visible in the sandbox. */
export const VISIBLE_FIX = 'Put it into the plugin or the project or on PATH, or use `--isolation none`.';

/** Paths in a text; those of a URL are none. */
const PATHS = /(?<=^|[\s"'`=(:[])\/(?!\/)[^\s"'`:;,|&()[\]<>]+/g;
const MISSING = /not found|no such file|cannot find|can't open|cannot open|ENOENT|does not exist/i;

/** The first path in a text that is there on this machine, in a folder that the sandbox hides and in none that it shows. */
export function hiddenPath(
  text: string,
  { hidden, shown }: { hidden: readonly string[]; shown: readonly string[] },
): string | undefined {
  const isIn = (folders: readonly string[], path: string): boolean => folders.some((folder) => isWithin(path, folder));
  return [...text.matchAll(PATHS)]
    .map(([path]) => resolve(path))
    .find((path) => isIn(hidden, path) && !isIn(shown, path) && existsSync(path));
}

/** How a shell begins what it says: with the script that runs, so that is visible. */
const RUNNING = /^\S+: (?:line )?\d+: /;

/** The same in what a program said that it did not find: that it is there on this machine is reason enough. */
export function missedPath(said: string, hidden: readonly string[]): string | undefined {
  const lines = said.split('\n').filter((line) => MISSING.test(line));
  return hiddenPath(lines.map((line) => line.replace(RUNNING, '')).join('\n'), { hidden, shown: [] });
}

/** The message. */
export function notVisible(what: string): string {
  return `Not visible in the sandbox: ${what}`;
}
