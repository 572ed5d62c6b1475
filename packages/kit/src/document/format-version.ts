import { InvalidDocumentError } from '../errors.js';
import { isObject } from './json.js';
import { locateProblems } from './problems.js';
import type { Source } from './source.js';

/** The version of the format of rehearsals, scenarios and understudy.toml. */
export const FORMAT = 1;

/** Refuses a document of a newer format before anything else: what is new in it would look like a mistake. */
export function refuseNewerFormat(source: Source): void {
  const { value, file } = source;
  const format = isObject(value) ? value['format'] : undefined;
  if (typeof format !== 'number' || !(format > FORMAT)) return;
  const message = `this file has format ${format}, and this version of Understudy knows formats up to ${FORMAT}`;
  const fix = 'Upgrade it: npm install --save-dev agent-understudy@latest.';
  throw new InvalidDocumentError(
    'FORMAT_TOO_NEW',
    file ?? 'the document',
    locateProblems(source, [{ code: 'FORMAT_TOO_NEW', message, fix, path: ['format'] }]),
  );
}
