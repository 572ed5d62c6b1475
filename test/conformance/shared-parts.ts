import { createHash } from 'node:crypto';

/** Recordings repeat themselves: a part that occurs again and is longer than this is written once. */
const WORTH_IT = 120;

export type Parts = Record<string, unknown>;

/** Puts parts that occur more than once into a table of their own: `{ "$": "1f0a…" }` stands for one. */
export function shareParts(values: readonly unknown[]): { parts: Parts; values: unknown[] } {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (text.length < WORTH_IT) return;
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    // What is in a part that is known is counted with it.
    if (before === 0) for (const part of Object.values(value)) count(part);
  };
  for (const value of values) count(value);
  const parts: Parts = {};
  const inside = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(share)
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, share(part)]));
  const share = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    if ((counts.get(text) ?? 0) < 2) return inside(value);
    const key = createHash('sha256').update(text).digest('hex').slice(0, 10);
    if (!(key in parts)) parts[key] = inside(value);
    return { $: key };
  };
  return { values: values.map(share), parts };
}

/** The other way round. */
export function joinParts(value: unknown, parts: Parts): unknown {
  if (Array.isArray(value)) return value.map((part) => joinParts(part, parts));
  if (typeof value !== 'object' || value === null) return value;
  const { $: key, ...rest } = value as Record<string, unknown>;
  if (typeof key === 'string' && Object.keys(rest).length === 0) {
    if (!(key in parts)) throw new Error(`the recording has no part ${key}`);
    return joinParts(parts[key], parts);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, joinParts(part, parts)]));
}
