import { type TextKind, withoutVolatile } from './volatile.js';

/** So many letters of texts are kept. */
const KEPT = 8 * 1024 * 1024;

/** Remembers the stable form of texts that come again. */
export class StableTexts {
  readonly #known = new Map<string, string>();
  #kept = 0;

  get(text: string, kind: TextKind, clean: (text: string) => string): string {
    const key = kind === 'prompt' ? text : `\0${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const stable = withoutVolatile(clean(text), kind);
    if (this.#kept > KEPT) {
      this.#known.clear();
      this.#kept = 0;
    }
    this.#kept += text.length + stable.length;
    this.#known.set(key, stable);
    return stable;
  }
}
