import { readFileSync, realpathSync } from 'node:fs';
import { type Problem, renameField, writeWhole } from '@understudy/kit';
import { checkDocument } from './check-document.js';

/** A file that was mended: its text before and after. */
export interface Mended {
  file: string;
  before: string;
  after: string;
}

/** Each time at least one field gets its name; more fields have nobody written wrong. */
const MOST_ROUNDS = 200;

/**
 * Renames the fields of a document whose right name is certain, in the document itself and in files that it extends:
 * those that got another name, and slips of one letter. Everything else in a file stays as it is.
 */
export async function mendDocument(file: string): Promise<Mended[]> {
  const mended = new Map<string, Mended>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { errors } = await checkDocument(file);
    // Another field of the same line may have moved: one at a time.
    const change = errors.flatMap((problem) => changeOf(problem) ?? []).at(0);
    if (change === undefined) break;
    const { file: changed, before, after } = change;
    writeWhole(changed, after);
    if (await isUnreadable(file)) {
      writeWhole(changed, before);
      break;
    }
    mended.set(changed, { file: changed, before: mended.get(changed)?.before ?? before, after });
  }
  return [...mended.values()];
}

function changeOf({ new_name: newName, location, path }: Problem): Mended | undefined {
  if (newName === undefined || location.file === undefined || location.line === undefined) return undefined;
  // A link stays one.
  const file = realpathSync(location.file);
  if (/[\\/]node_modules[\\/]/.test(file)) return undefined;
  const before = readFileSync(file, 'utf8');
  const after = renameField(before, location, path, newName);
  return after === undefined ? undefined : { file, before, after };
}

/** The new name may stand there already, in another table of the same name. */
async function isUnreadable(file: string): Promise<boolean> {
  const { errors } = await checkDocument(file);
  return errors.some(({ code }) => code === 'DOCUMENT_SYNTAX');
}
