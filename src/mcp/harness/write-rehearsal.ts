import { resolve } from 'node:path';
import {
  InvalidDocumentError,
  parseSource,
  REHEARSAL_ENDING,
  UnderstudyError,
  USER_FILE,
  writeWhole,
} from '@understudy/kit';
import { toRows } from '@understudy/runner';
import { toolProblem } from './check-file.js';
import type { Projects } from './projects.js';

/** Writes a rehearsal in which nothing is wrong; else nothing is written, and the problems are reported. */
export function writeRehearsalFile(projects: Projects, path: string, text: string) {
  if (!path.endsWith(REHEARSAL_ENDING)) {
    throw new UnderstudyError('MCP_BAD_INPUT', `${JSON.stringify(path)} is not the name of a rehearsal`, {
      fix: `Let the path end with ${REHEARSAL_ENDING}.`,
    });
  }
  const file = projects.allowed(resolve(path));
  try {
    toRows(parseSource(text, 'toml', file), file);
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return { path: file, written: false, problems: error.problems.map(toolProblem) };
  }
  writeWhole(file, text.endsWith('\n') ? text : `${text}\n`, USER_FILE);
  return { path: file, written: true, problems: [] };
}
