import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EntryResult } from './entry-result.js';

/** What grows with all that happened in an entry. */
const LARGE: ReadonlySet<string> = new Set(['steps', 'checks'] satisfies (keyof EntryResult)[]);

/**
 * The same entry in little memory, for a run of thousands: its steps and checks are kept packed, and are unpacked each
 * time that somebody reads them.
 */
export function packEntry(result: EntryResult): EntryResult {
  const properties = Object.entries(result).map(([key, value]): [string, PropertyDescriptor] => {
    if (!LARGE.has(key)) return [key, { value, enumerable: true, configurable: true, writable: true }];
    const packed = pack(value);
    return [key, { get: () => JSON.parse(inflateRawSync(packed).toString('utf8')), enumerable: true }];
  });
  return Object.defineProperties({}, Object.fromEntries(properties)) as EntryResult;
}

/** A copy: what the packer gives is a part of a piece of memory many times as large, which would stay with it. */
export function pack(value: unknown): Buffer {
  return Buffer.from(deflateRawSync(JSON.stringify(value), { level: 1 }));
}
