import { readdirSync, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { isRehearsalFile, REHEARSAL_ENDING, UnderstudyError } from '@understudy/kit';

/** The rehearsal files behind paths, each once: a file is one, a folder holds those that have the name of one (`isRehearsalFile`). */
export function findRehearsals(paths: readonly string[], { mayBeNone = false } = {}): string[] {
  const files = new Map(paths.flatMap(filesAt).map((file) => [resolve(file), file]));
  if (files.size > 0 || mayBeNone) return [...files.values()];
  throw new UnderstudyError('NOTHING_TO_RUN', `there is no *${REHEARSAL_ENDING} in ${paths.join(', ')}`, {
    fix: 'Name a rehearsal, or a folder that holds some; `understudy init` writes a first one.',
  });
}

function filesAt(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new UnderstudyError('FILE_NOT_FOUND', `there is no file or folder ${path}`, {
      fix: 'Check the path; it is relative to the current folder.',
    });
  }
  return stats.isDirectory() ? filesBelow(path) : [normalize(path)];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return isRehearsalFile(entry.name) ? [path] : [];
    });
}
