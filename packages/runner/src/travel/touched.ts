import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside, isRehearsalFile, rehearsalStem } from '@understudy/kit';
import type { Rehearsal } from '../rehearsal/load.js';
import { type BrokenRehearsal, isBroken } from '../rehearsal/load-files.js';
import type { Entry } from '../run/entry.js';
import { touchedNames } from '../run/watch.js';
import { namedPaths } from './travel-parts.js';

export interface Changes {
  /** All that changed, as absolute paths. */
  files: readonly string[];
  /** The top folders of the repositories in which it was looked for. */
  tops: readonly string[];
  /** Files that are part of every test. */
  common: readonly string[];
}

/**
 * Whether a change can touch an entry: its file, its parts, what its text names, its snapshots and cassettes. Nobody knows
 * what a program is made of, so a change of anything but another rehearsal touches what runs one; and what cannot be
 * loaded may miss what was removed.
 */
export function touchedBy(
  { files, tops, common }: Changes,
  rehearsals: readonly (Rehearsal | BrokenRehearsal)[],
): (entry: Entry) => boolean {
  // A repository in the repository: git says that something in it changed, and not what.
  const folders = files.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  const named = new Map(rehearsals.map((one) => [one.file, isBroken(one) ? [] : namedPaths(one)]));
  return ({ id, file, parts = [], runsProgram, broken }) => {
    const own = file === undefined ? id : resolve(file);
    const all = [
      ...parts,
      ...common,
      ...(file === undefined ? [] : (named.get(file) ?? [])),
      ...files.filter((path) => isRecordingOf(own, path)),
      ...(runsProgram === true || broken !== undefined ? tops : []),
    ];
    return (
      [own, ...all].some((path) => folders.some((folder) => isInside(folder, path))) ||
      touchedNames(files, { parts: new Map([[own, all]]), isNew: isRehearsalFile }).length > 0
    );
  };
}

/** Runs write these themselves, and read them again. */
function isRecordingOf(file: string, path: string): boolean {
  const folders = ['__snapshots__', 'cassettes'].map((name) => join(dirname(file), name));
  return folders.includes(dirname(path)) && basename(path).startsWith(`${rehearsalStem(file)}.`);
}
