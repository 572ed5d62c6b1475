import { skipSpace, skipValue } from '../../http/json-scan.js';
import type { JsonObject } from './json.js';
import { parsePart, unreadBytes } from './lazy-object.js';

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;

/** So many conversations are known at once. */
const KNOWN = 8;
/** A list of smaller messages than this is parsed faster as a whole. */
const SMALL_MESSAGE = 64;

/** The messages of a request that came lately. */
interface Known<T> {
  /** The list as it came, and where each message ends in it. */
  bytes: Buffer;
  ends: number[];
  /** What was read in each message. */
  read: (readonly T[])[];
}

/**
 * Reads the list of messages in a request. An agent repeats the whole conversation in each request: messages that came
 * lately, at the same place, are known by their bytes, and not parsed again. Undefined when there is no such list.
 */
export function messageReader<T>(
  key: string,
  read: (message: unknown) => readonly T[],
): (body: JsonObject) => T[] | undefined {
  let known: Known<T>[] = [];
  return (body) => {
    const bytes = unreadBytes(body, key);
    const [begun, shared] = bytes === undefined ? [] : longestOf(known, bytes);
    const now = bytes && readOn(bytes, begun, shared ?? 0, read);
    if (now === undefined) {
      const list = body[key];
      return Array.isArray(list) ? list.flatMap(read) : undefined;
    }
    known = [now, ...known.filter((one) => one !== begun).slice(0, KNOWN - 1)];
    return now.read.flat();
  };
}

/** The known list with which these bytes begin, and how many messages they share. */
function longestOf<T>(known: readonly Known<T>[], bytes: Buffer): [Known<T>, number] | [] {
  for (const one of known) {
    const shared = sharedMessages(one, bytes);
    if (shared > 0) return [one, shared];
  }
  return [];
}

/** The last messages of a conversation may have changed (marks of a cache move), so fewer are tried, too. */
function sharedMessages({ bytes: before, ends }: Known<unknown>, bytes: Buffer): number {
  for (let count = ends.length, less = 1; count > 0; count -= less, less *= 2) {
    const end = ends[count - 1] ?? 0;
    if (end < bytes.length && before.compare(bytes, 0, end, 0, end) === 0) return count;
  }
  return 0;
}

/** All messages of a list that begins as another did; undefined when it is not a plain list. */
function readOn<T>(
  bytes: Buffer,
  begun: Known<T> | undefined,
  shared: number,
  read: (message: unknown) => readonly T[],
): Known<T> | undefined {
  const ends = begun?.ends.slice(0, shared) ?? [];
  const parts = begun?.read.slice(0, shared) ?? [];
  let at = skipSpace(bytes, ends.at(-1) ?? 0);
  while (bytes[at] === (ends.length === 0 ? OPEN_ARRAY : COMMA)) {
    const from = skipSpace(bytes, at + 1);
    const to = skipValue(bytes, from);
    if (to <= from || ends.length > bytes.length / SMALL_MESSAGE) return undefined;
    ends.push(to);
    // A copy, so that a message does not keep the whole request in memory.
    parts.push(read(parsePart(Buffer.from(bytes.subarray(from, to)))));
    at = skipSpace(bytes, to);
  }
  return bytes[at] === CLOSE_ARRAY && at + 1 === bytes.length ? { bytes, ends, read: parts } : undefined;
}
