import { shorten } from '@understudy/kit';

const MOST = 50;
const LONGEST = 300;
const CONTROL = /\p{Cc}+/gu;

/** What was wrong with an answer, safe to show: without secrets and control characters, short, and not too many. */
export class Problems {
  readonly #redact: (text: string) => string;
  readonly #shown: string[] = [];
  #more = 0;

  constructor(redact: (text: string) => string = (text) => text) {
    this.#redact = redact;
  }

  add(problem: string): void {
    if (this.#shown.length >= MOST) this.#more++;
    else this.#shown.push(this.plain(problem));
  }

  all(): string[] {
    return this.#more === 0 ? [...this.#shown] : [...this.#shown, `and ${this.#more} more problems`];
  }

  /** One line of an untrusted text. Half a secret is not recognized as one, so it is cut last. */
  plain(text: string): string {
    const clean = this.#redact(text).replaceAll(CONTROL, ' ');
    return shorten(clean, LONGEST, ' …');
  }
}
