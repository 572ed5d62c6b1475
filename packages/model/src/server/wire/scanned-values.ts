import { skipSpace, skipValue } from '@understudy/kit';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;

/** Values that begin with these have an end of their own; a number could go on. */
const CLOSED = [QUOTE, OPEN_OBJECT, OPEN_ARRAY];

/** So many values of a name are known at once: of tools, instructions, or messages of a few conversations. */
const KNOWN = 8;
/** So many names are known: a request could have any. */
const NAMES = 16;
/** A smaller value is scanned as fast as it is compared. */
const SMALL = 1024;
/** A larger one would take too much memory. */
const LARGE = 8 * 1024 * 1024;
/** A list of smaller elements than this is parsed faster as a whole. */
const SMALL_ELEMENT = 64;

/** A value that came lately. */
interface Scanned {
  bytes: Buffer;
  /** Where each element ends, if it is a list. */
  ends: readonly number[];
}

/** Where a value ends; of a list, where each element does, from where the list begins. */
export interface Extent {
  to: number;
  ends?: readonly number[];
}

/**
 * Finds where the large values of a request end. Agents send the same tools and instructions with every request, and
 * the whole conversation so far: what came lately is known by its bytes, and not scanned again.
 */
export class ScannedValues {
  readonly #known = new Map<string, readonly Scanned[]>();

  /** Where the value that begins here ends: -1 when it does not. Throws `JsonTooDeep`. */
  skip(name: string, bytes: Buffer, from: number, depth: number): Extent {
    const known = this.#known.get(name) ?? [];
    const same = known.find((one) => beginsWith(bytes, from, one.bytes, one.bytes.length));
    if (same !== undefined) return this.#keep(name, same, from, same);
    if (bytes[from] !== OPEN_ARRAY) return this.#scanned(name, bytes, from, skipValue(bytes, from, depth));
    const [begun, shared] = longestOf(known, bytes, from);
    const ends = begun?.ends.slice(0, shared) ?? [];
    const to = scanList(bytes, from, ends, depth);
    if (to === -1) return { to: skipValue(bytes, from, depth) };
    return this.#scanned(name, bytes, from, to, ends, begun);
  }

  #scanned(name: string, bytes: Buffer, from: number, to: number, ends?: readonly number[], before?: Scanned): Extent {
    const isClosed = CLOSED.includes(bytes[from] ?? 0);
    if (!isClosed || to - from < SMALL || to - from > LARGE) return ends === undefined ? { to } : { to, ends };
    return this.#keep(name, { bytes: bytes.subarray(from, to), ends: ends ?? [] }, from, before);
  }

  #keep(name: string, scanned: Scanned, from: number, before?: Scanned): Extent {
    const known = this.#known.get(name) ?? [];
    if (known[0] !== scanned && (known.length > 0 || this.#known.size < NAMES)) {
      this.#known.set(name, [scanned, ...known.filter((one) => one !== before).slice(0, KNOWN - 1)]);
    }
    const { bytes, ends } = scanned;
    return { to: from + bytes.length, ...(ends.length === 0 ? {} : { ends }) };
  }
}

/** The known list that this one begins with, and how many elements they share. */
export function longestOf<T extends Pick<Scanned, 'bytes' | 'ends'>>(
  known: readonly T[],
  bytes: Buffer,
  from: number,
): [list: T, shared: number] | [] {
  for (const one of known) {
    const shared = sharedElements(one, bytes, from);
    if (shared > 0) return [one, shared];
  }
  return [];
}

/** How many elements of a known list another one begins with. The last ones may have changed, so fewer are tried, too. */
function sharedElements(known: Pick<Scanned, 'bytes' | 'ends'>, bytes: Buffer, from: number): number {
  for (let count = known.ends.length, less = 1; count > 0; count -= less, less *= 2) {
    const end = known.ends[count - 1] ?? 0;
    if (from + end < bytes.length && beginsWith(bytes, from, known.bytes, end)) return count;
  }
  return 0;
}

function beginsWith(bytes: Buffer, from: number, known: Buffer, length: number): boolean {
  // The last byte differs more often than the first.
  if (from + length > bytes.length || bytes[from + length - 1] !== known[length - 1]) return false;
  return known.compare(bytes, from, from + length, 0, length) === 0;
}

/** Adds the ends of a list's further elements, and gives the index behind it: -1 when it is not a plain list. */
function scanList(bytes: Buffer, from: number, ends: number[], depth: number): number {
  const most = (bytes.length - from) / SMALL_ELEMENT;
  let at = skipSpace(bytes, from + (ends.at(-1) ?? 0));
  while (bytes[at] === (ends.length === 0 ? OPEN_ARRAY : COMMA)) {
    const value = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, value, depth + 1);
    if (end <= value || ends.length > most) return -1;
    ends.push(end - from);
    at = skipSpace(bytes, end);
  }
  return bytes[at] === CLOSE_ARRAY ? at + 1 : -1;
}
