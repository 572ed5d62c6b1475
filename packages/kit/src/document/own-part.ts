import { UnderstudyError } from '../errors.js';
import { importPart } from './import-part.js';

/** The API of the parts that users write. It changes when a part that was written for the old one would no longer work. */
const PART_API = 1;

/** What `defineAgent`, `defineSuite` … put on what they are given: its kind, and the API that it was written for. */
export interface Stamped {
  readonly understudy: string;
}

/** Marks a part. Nothing else is done where it is written: who loads it checks it, and knows the place. */
export function stampPart<T extends object>(kind: string, part: T): T & Stamped {
  return { ...part, understudy: `${kind}/${PART_API}` };
}

/** Imports a part that its `define` function must have marked: `kind` is `agent`. */
export async function importStamped(file: string, kind: string): Promise<object> {
  return checkStamp(await importPart(file, kind), kind, file);
}

/** Refuses what was not marked, or for another kind of part, or by another version of this package. */
export function checkStamp(part: unknown, kind: string, place: string): object {
  const define = `define${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const mark = (part as Partial<Stamped> | null)?.understudy;
  const [made, api] = typeof mark === 'string' ? mark.split('/') : [];
  if (typeof part !== 'object' || part === null || made !== kind) {
    throw new UnderstudyError('PART_UNUSABLE', `${place} exports no ${kind}`, {
      fix: `Write \`export default ${define}({ … })\`, with \`${define}\` of agent-understudy.`,
      location: { file: place },
    });
  }
  if (api !== String(PART_API)) {
    throw new UnderstudyError(
      'PART_UNUSABLE',
      `${place} was made for API ${api} of parts, and this Understudy has API ${PART_API}`,
      {
        fix: 'Use one version of agent-understudy: the part imports another one than the command that runs.',
        location: { file: place },
      },
    );
  }
  return part;
}
