/** A tool or hook must not be able to fill our memory. */
const LONGEST = 10_000_000;

/** What a tool or hook prints, up to a length. What comes later is read and dropped, and the text says so. */
export class BoundedText {
  readonly #longest: number;
  #text = '';
  #dropped = 0;

  constructor(longest: number = LONGEST) {
    this.#longest = longest;
  }

  add(text: string): void {
    const kept = text.slice(0, this.#longest - this.#text.length);
    this.#text += kept;
    this.#dropped += text.length - kept.length;
  }

  get text(): string {
    if (this.#dropped === 0) return this.#text;
    return `${this.#text}\n[understudy: cut after ${this.#longest} characters, ${this.#dropped} more were printed]`;
  }
}
