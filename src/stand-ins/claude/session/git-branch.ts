import { dirname, join } from 'node:path';
import { readIfThere } from '../../../document/json.js';

/** The branch that a folder is on, read from `.git` itself; `HEAD` where there is none. */
export function gitBranch(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const head = readIfThere(join(folder, '.git', 'HEAD'));
    if (head !== undefined) return /^ref: refs\/heads\/(.*)/.exec(head)?.[1]?.trim() ?? 'HEAD';
    if (dirname(folder) === folder) return 'HEAD';
  }
}
