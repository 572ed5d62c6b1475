import { forTerminal, paint, visibleOnOneLine } from '@understudy/kit';
import { eastAsianWidth } from 'get-east-asian-width';

const TICK_MS = 100;

/** The last lines of a terminal, drawn again and again, below the lines that stay. */
export class LiveArea {
  readonly #output: NodeJS.WriteStream;
  readonly #lines: () => string[];
  #drawn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(output: NodeJS.WriteStream, lines: () => string[]) {
    this.#output = output;
    this.#lines = lines;
  }

  start(): void {
    this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#timer.unref();
  }

  /** A line that stays. */
  print(line: string): void {
    this.#clear();
    this.#output.write(`${forTerminal(line)}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #draw(): void {
    this.#clear();
    // A line that wraps could not be cleared.
    const width = (this.#output.columns ?? 80) - 1;
    const lines = this.#lines()
      .map(visibleOnOneLine)
      .map((line) => fitted(line, width));
    if (lines.length > 0) this.#output.write(`${lines.map((line) => forTerminal(paint.cyan(line))).join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #clear(): void {
    if (this.#drawn > 0) this.#output.write(`\u001B[${this.#drawn}A\u001B[J`);
    this.#drawn = 0;
  }
}

/** As much of a line as so many cells show: a Chinese character or an emoji takes two. */
function fitted(line: string, width: number): string {
  let cells = 0;
  let room = 0;
  for (const character of line) {
    cells += eastAsianWidth(character.codePointAt(0) ?? 0);
    if (cells > width) return `${line.slice(0, room)}…`;
    if (cells < width) room += character.length;
  }
  return line;
}
