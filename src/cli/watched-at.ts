import { isRehearsalFile } from '@understudy/kit';
import { findRehearsals, partsOfRehearsal, type Watched } from '@understudy/runner';
import type { openSuites } from '../public/run-paths.js';

/** What is watched behind paths: rehearsals, and what the suites of the user have there. */
export function watchedAt(
  paths: readonly string[],
  folders: readonly string[],
  suites: ReturnType<typeof openSuites>,
): Watched {
  const own = suites.parts(paths);
  const isOther = (path: string) => suites.takes(path);
  const rehearsals = findRehearsals(paths, { mayBeNone: own.size > 0, isOther });
  return {
    parts: new Map([...rehearsals.map((file): [string, string[]] => [file, partsOfRehearsal(file)]), ...own]),
    folders,
    isNew: (path) => isRehearsalFile(path) || suites.hasFile(path),
  };
}
