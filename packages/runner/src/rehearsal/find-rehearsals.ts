import { readdirSync, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { isRehearsalFile, REHEARSAL_ENDING, UnderstudyError } from '@understudy/kit';

interface Finding {
  mayBeNone?: boolean;
  /** What is of another kind, though it was named. */
  isOther?: ((path: string) => boolean) | undefined;
}

/** The rehearsal files behind paths: those with the name of one (`isRehearsalFile`), and any file that was named. */
export function findRehearsals(
  paths: readonly string[],
  { mayBeNone = false, isOther = () => false }: Finding = {},
): string[] {
  const files = findFiles(paths, isRehearsalFile, () => true).filter((file) => !isOther(file));
  if (files.length > 0 || mayBeNone) return files;
  throw new UnderstudyError('NOTHING_TO_RUN', `there is no *${REHEARSAL_ENDING} in ${paths.join(', ')}`, {
    fix: 'Name a rehearsal, or a folder that holds some; `understudy init` writes a first one.',
  });
}

/** The files of one kind behind paths, each once, in order; `isOursNamed` is asked for a file that was named. */
export function findFiles(
  paths: readonly string[],
  isOurs: (path: string) => boolean,
  isOursNamed: (path: string) => boolean = isOurs,
): string[] {
  const found = paths.flatMap((path) => filesAt(path, isOurs, isOursNamed));
  return [...new Map(found.map((file) => [resolve(file), file])).values()];
}

function filesAt(path: string, isOurs: (path: string) => boolean, isOursNamed: (path: string) => boolean): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new UnderstudyError('FILE_NOT_FOUND', `there is no file or folder ${path}`, {
      fix: 'Check the path; it is relative to the current folder.',
    });
  }
  return stats.isDirectory() ? filesBelow(path, isOurs) : [normalize(path)].filter(isOursNamed);
}

function filesBelow(folder: string, isOurs: (path: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path, isOurs);
      return isOurs(path) ? [path] : [];
    });
}
