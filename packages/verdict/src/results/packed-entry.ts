import type { EntryResult } from './entry-result.js';

/** What grows with all that happened in an entry. */
const LARGE: ReadonlySet<string> = new Set(['steps', 'checks'] satisfies (keyof EntryResult)[]);

/**
 * The same entry in less memory, for a run of thousands: its steps and checks are kept as one text, and are parsed each
 * time that somebody reads them.
 */
export function packEntry(result: EntryResult): EntryResult {
  const properties = Object.entries(result).map(([key, value]): [string, PropertyDescriptor] => {
    if (!LARGE.has(key)) return [key, { value, enumerable: true, configurable: true, writable: true }];
    const text = JSON.stringify(value);
    return [key, { get: () => JSON.parse(text), enumerable: true }];
  });
  return Object.defineProperties({}, Object.fromEntries(properties)) as EntryResult;
}
