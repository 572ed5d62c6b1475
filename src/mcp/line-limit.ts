import { Transform, type TransformCallback } from 'node:stream';

/** A message on stdin may be this long. */
export const LONGEST_LINE = 10 * 1024 * 1024;
/** So much is kept of both ends of a line that is too long. */
const KEPT = 512;
const NEWLINE = 0x0a;

/** A line that was left out, as far as it is known. */
export interface LeftOutLine {
  /** The id of the request in it, where it stands at one of the two ends. */
  id: string | number | null;
}

/** Passes lines on, whole. A line that is too long is left out, and the next one is read as if nothing had happened. */
export class LineLimit extends Transform {
  readonly #onLeftOut: (line: LeftOutLine) => void;
  readonly #longest: number;
  #held: Buffer[] = [];
  #length = 0;

  constructor(onLeftOut: (line: LeftOutLine) => void, longest = LONGEST_LINE) {
    super();
    this.#onLeftOut = onLeftOut;
    this.#longest = longest;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, end + 1));
      this.#finishLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#length > 0) this.#finishLine();
    done();
  }

  #hold(part: Buffer): void {
    this.#length += part.length;
    this.#held.push(part);
    if (this.#length <= this.#longest) return;
    const held = Buffer.concat(this.#held);
    this.#held =
      held.length <= 2 * KEPT ? [held] : [Buffer.from(held.subarray(0, KEPT)), Buffer.from(held.subarray(-KEPT))];
  }

  #finishLine(): void {
    const held = Buffer.concat(this.#held);
    if (this.#length <= this.#longest) this.push(held);
    else this.#onLeftOut({ id: idOf(held.toString('latin1')) });
    this.#held = [];
    this.#length = 0;
  }
}

const ID = '"id"\\s*:\\s*("[\\w.:/-]{1,100}"|\\d{1,15})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';
const METHOD = '"method"\\s*:\\s*"[\\w/]{1,100}"';
/** The fields before and after `params`, in any order: what is inside of `params` cannot look like them. */
const AT_START = new RegExp(`^\\s*\\{\\s*(?:(?:${VERSION}|${METHOD})\\s*,\\s*){0,2}${ID}\\s*,`);
const AT_END = new RegExp(`,\\s*${ID}\\s*(?:,\\s*(?:${VERSION}|${METHOD})\\s*){0,2}\\}\\s*$`);

function idOf(line: string): string | number | null {
  const id = AT_START.exec(line)?.[1] ?? AT_END.exec(line)?.[1];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
