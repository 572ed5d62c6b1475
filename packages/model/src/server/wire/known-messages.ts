import { type JsonObject, skipSpace } from '@understudy/kit';
import { parsePart, unread } from './lazy-object.js';
import { longestOf } from './scanned-values.js';

/** So many conversations are known at once. */
const KNOWN = 8;

/** The messages of a request that came lately. */
interface Known<T> {
  /** The list as it came, and where each message ends in it. */
  bytes: Buffer;
  ends: readonly number[];
  /** What was read in all of them, and how much of it up to each. */
  read: T[];
  counts: number[];
}

/**
 * Reads the list of messages in a request. An agent repeats the whole conversation in each request: messages that came
 * lately, at the same place, are known by their bytes, and not parsed again. Undefined when there is no such list.
 */
export function messageReader<T>(
  key: string,
  read: (message: unknown) => readonly T[],
): (body: JsonObject) => readonly T[] | undefined {
  let known: Known<T>[] = [];
  return (body) => {
    const { bytes, ends } = unread(body, key) ?? {};
    if (bytes === undefined || ends === undefined) {
      const list = body[key];
      return Array.isArray(list) ? list.flatMap(read) : undefined;
    }
    const [begun, shared = 0] = longestOf(known, bytes, 0);
    const counts = begun?.counts.slice(0, shared) ?? [];
    const all = begun?.read.slice(0, counts.at(-1)) ?? [];
    for (let at = shared; at < ends.length; at++) {
      // Behind the bracket of the list, or the comma.
      const from = skipSpace(bytes, skipSpace(bytes, ends[at - 1] ?? 0) + 1);
      // A copy, so that a message does not keep the whole request in memory.
      all.push(...read(parsePart(Buffer.from(bytes.subarray(from, ends[at])))));
      counts.push(all.length);
    }
    known = [{ bytes, ends, read: all, counts }, ...known.filter((one) => one !== begun).slice(0, KNOWN - 1)];
    return all;
  };
}
