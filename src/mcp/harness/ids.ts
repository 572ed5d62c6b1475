import { randomBytes } from 'node:crypto';

/** An id that cannot be guessed: everybody who knows it may use what it names. */
export function freshId(kind: string): string {
  return `${kind}_${randomBytes(12).toString('base64url')}`;
}
