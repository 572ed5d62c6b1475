import { randomBytes } from 'node:crypto';

/** A name that nobody guesses, because whoever knows it may use what it names. */
export function freshId(kind: string): string {
  return `${kind}_${randomBytes(12).toString('base64url')}`;
}
