import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { REHEARSAL_ENDING } from '../../document/endings.js';
import { parseSource } from '../../document/source.js';
import { InvalidDocumentError, UnderstudyError } from '../../errors.js';
import { makeFolder } from '../../process/make-folder.js';
import { toRehearsal } from '../../rehearsal/load.js';
import { toldProblem } from './check-file.js';
import type { Projects } from './projects.js';

/** Writes a rehearsal in which nothing is wrong; else nothing is written, and the problems are told. */
export function writeRehearsalFile(projects: Projects, path: string, text: string) {
  if (!path.endsWith(REHEARSAL_ENDING)) {
    throw new UnderstudyError('MCP_BAD_INPUT', `${JSON.stringify(path)} is not the name of a rehearsal`, {
      fix: `Let the path end with ${REHEARSAL_ENDING}.`,
    });
  }
  const file = projects.allowed(resolve(path));
  try {
    toRehearsal(parseSource(text, 'toml', file), file);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return { path: file, written: false, problems: error.problems.map(toldProblem) };
  }
  makeFolder(dirname(file));
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
  return { path: file, written: true, problems: [] };
}
