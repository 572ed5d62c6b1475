import { resolve } from 'node:path';
import { defined, formatLocation, type Problem } from '@understudy/kit';
import { checkDocument } from '../../document-check/check-document.js';
import { refuseModule } from './refuse-module.js';

/** Looks at a file of ours. */
export async function checkFile(path: string) {
  const file = resolve(path);
  refuseModule(file);
  const { kind, ok, errors, warnings } = await checkDocument(file);
  return { path: file, kind, ok, problems: errors.map(toolProblem), warnings: warnings.map(toolProblem) };
}

/** A problem as tools report it. */
export function toolProblem({ location, path, code, message, fix }: Problem) {
  const where = formatLocation(location) || path || 'document';
  return { location: where, code, message, ...defined({ fix }) };
}
