import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is cut: an agent must not be able to fill our memory with one line. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Cuts a byte stream into lines. UTF-8 characters may be split between chunks; `\r\n` ends a line too. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  readonly #longest: number;
  #parts: string[] = [];
  #length = 0;

  constructor(onLine: (line: string) => void, longest: number = LONGEST_LINE) {
    this.#onLine = onLine;
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  /** The stream has ended: what is left is the last line. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#length > 0) this.#emit();
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start < text.length) this.#keep(text.slice(start));
  }

  #keep(part: string): void {
    const room = this.#longest - this.#length;
    if (room <= 0) return;
    const kept = part.length > room ? part.slice(0, room) : part;
    this.#parts.push(kept);
    this.#length += kept.length;
  }

  #emit(): void {
    const line = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
