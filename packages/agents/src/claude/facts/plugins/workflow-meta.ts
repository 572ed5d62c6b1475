import { isObject, type JsonObject } from '@understudy/kit';

/** What a workflow says of itself in its first statement, `export const meta = { … }`. */
export interface WorkflowMeta {
  name: string;
  description: string;
  whenToUse?: string;
  phases: string[];
}

/** The beginning of a script: comments, and then the declaration. */
const BEGINNING = /^(?:#!.*\n)?(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*export\s+const\s+meta\s*=/;

/** Reads it as the CLI does: without running anything, so that only plain values are understood. */
export function workflowMeta(script: string): WorkflowMeta | undefined {
  const beginning = BEGINNING.exec(script);
  if (beginning === null) return undefined;
  const reader = new LiteralReader(script, beginning[0].length);
  const meta = reader.declared();
  if (!isObject(meta)) return undefined;
  const { name, description, whenToUse, phases } = meta;
  if (typeof name !== 'string' || typeof description !== 'string' || name === '' || description === '')
    return undefined;
  return {
    name,
    description,
    ...(typeof whenToUse === 'string' ? { whenToUse } : {}),
    phases: Array.isArray(phases) ? phases.flatMap(phaseLine) : [],
  };
}

function phaseLine(phase: unknown): string[] {
  const { title, detail } = isObject(phase) ? phase : ({} as JsonObject);
  if (typeof title !== 'string') return [];
  return [typeof detail === 'string' ? `${title}: ${detail}` : title];
}

/** Something that is more than a plain value. */
class NoLiteral extends Error {}

const SPACE = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /(["'`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/y;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy;
const WORD = /[A-Za-z_$][\w$]*/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' };

/** Reads objects, lists, texts, numbers and the words true, false and null of JavaScript. */
class LiteralReader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  /** The value of a declaration; undefined where it is no plain value, or where more is declared. */
  declared(): unknown {
    try {
      const value = this.#value();
      return this.#next() === ',' || this.#match(/as\b/y) !== undefined ? undefined : value;
    } catch (error) {
      if (error instanceof NoLiteral) return undefined;
      throw error;
    }
  }

  #value(): unknown {
    const first = this.#next();
    if (first === '(') return this.#within('(', ')', () => this.#value())[0];
    if (first === '{') return Object.fromEntries(this.#within('{', '}', () => this.#member()));
    if (first === '[') return this.#within('[', ']', () => this.#value());
    const text = this.#text();
    if (text !== undefined) return text;
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number[0]);
    const word = this.#match(WORD)?.[0] ?? '';
    if (!WORDS.has(word)) throw new NoLiteral();
    return WORDS.get(word);
  }

  #member(): [string, unknown] {
    this.#next();
    const key = this.#text() ?? this.#match(WORD)?.[0];
    if (key === undefined || key === '__proto__' || this.#next() !== ':') throw new NoLiteral();
    this.#at++;
    return [key, this.#value()];
  }

  /** What stands between two brackets, with commas between, and perhaps one at the end. */
  #within<T>(open: string, close: string, read: () => T): T[] {
    const items: T[] = [];
    for (this.#take(open); this.#next() !== close; ) {
      items.push(read());
      if (this.#next() !== close) this.#take(',');
    }
    this.#at++;
    return items;
  }

  #take(sign: string): void {
    if (this.#next() !== sign) throw new NoLiteral();
    this.#at++;
  }

  #text(): string | undefined {
    const [, quote, inside] = this.#match(STRING) ?? [];
    if (inside === undefined) return undefined;
    if (quote === '`' ? inside.includes('${') : inside.replace(/\\[\s\S]/g, '').includes('\n')) throw new NoLiteral();
    return inside.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\}|([\s\S]))/gi, (_, x, u, long, one) =>
      one === undefined ? String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)) : (ESCAPES[one] ?? one),
    );
  }

  /** The next sign that is neither white space nor a comment. */
  #next(): string | undefined {
    this.#match(SPACE);
    return this.#source[this.#at];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}
