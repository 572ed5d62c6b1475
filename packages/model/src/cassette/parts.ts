import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '@understudy/kit';

/** A part of a request that is longer than this is written once, in a line of its own. */
const LONG = 200;
const REFERENCE = '$part';

/** JSON with the keys of every object in order: the same value is always the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Gives each long part of a body to `keep`, and has the id that `keep` returns in its place. */
export function withoutParts(body: unknown, keep: (part: unknown) => string): unknown {
  if (!isObject(body)) return body;
  const share = (value: unknown) => (isLong(value) ? { [REFERENCE]: keep(value) } : value);
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? value.map(share) : share(value)]),
  );
}

/** The body with its parts back in their places. */
export function withParts(body: unknown, find: (id: string) => unknown): unknown {
  if (!isObject(body)) return body;
  const restore = (value: unknown) => {
    const id = isObject(value) ? value[REFERENCE] : undefined;
    return typeof id === 'string' ? find(id) : value;
  };
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? value.map(restore) : restore(value)]),
  );
}

/** The ids of the parts that a body names. */
export function partsIn(body: unknown): string[] {
  if (!isObject(body)) return [];
  return Object.values(body)
    .flat()
    .flatMap((value) => (isObject(value) && typeof value[REFERENCE] === 'string' ? [value[REFERENCE]] : []));
}

export function partId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > LONG;
}

/** Applies a function to every text of a JSON value, and to the names of its fields. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (!isObject(value)) return value;
  const mapped: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) mapped[change(key)] = mapTexts(entry, change);
  return mapped;
}
