import { randomBytes, timingSafeEqual } from 'node:crypto';
import { UnderstudyError } from '../errors.js';

/** A key or token with fewer characters could be guessed. */
const SHORTEST = 16;
/** What headers, URLs, shells and configuration files carry unchanged. */
const PLAIN = /^[\w.~+/=-]+$/;

/** A key that nobody can guess. */
export function freshSecret(prefix = ''): string {
  return prefix + randomBytes(24).toString('base64url');
}

/** Throws when a key that somebody chose is empty, too short, or cannot be sent in a header. */
export function checkSecret(text: string, name: string): void {
  if (text.length >= SHORTEST && PLAIN.test(text)) return;
  const problem = text === '' ? 'is empty' : text.length < SHORTEST ? `has only ${text.length} characters` : undefined;
  throw new UnderstudyError(
    'SECRET_TOO_WEAK',
    `${name} ${problem ?? 'has characters other than letters, digits and -._~+/='}`,
    {
      fix: `Give at least ${SHORTEST} letters, digits or -._~+/=, or leave it out: then a random one is made.`,
    },
  );
}

/** A key that others must bring. */
export class Secret {
  readonly #text: Buffer;

  constructor(text: string, name: string) {
    checkSecret(text, name);
    this.#text = Buffer.from(text);
  }

  /** Compares in constant time: how long it takes does not show how much of a guess was right, only its length. */
  matches(given: string): boolean {
    const bytes = Buffer.from(given);
    return bytes.length === this.#text.length && timingSafeEqual(bytes, this.#text);
  }
}
