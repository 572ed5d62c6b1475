import { createHash } from 'node:crypto';
import type { Entry } from './entry.js';
import { keyOf } from './last-run.js';

/** From 1, as people count. */
export interface ShardNumber {
  index: number;
  count: number;
}

/**
 * Divides the entries among shards: in turn when nothing is known of them, else so that the shards take about the same
 * time. Gives the number of each entry's shard. Each machine does it by itself, so it depends on nothing but the entries
 * and the durations; `cut` shows whether two of them came to the same end.
 */
export function cutShards(
  entries: readonly Entry[],
  count: number,
  durations: ReadonlyMap<string, number> = new Map(),
): { numbers: number[]; cut: string } {
  const numbers = entries.some((entry) => durations.has(keyOf(entry)))
    ? byDuration(entries, count, durations)
    : entries.map((_, index) => (index % count) + 1);
  const told = JSON.stringify(entries.map((entry, index) => [keyOf(entry), entry.round, numbers[index]]));
  return { numbers, cut: createHash('sha256').update(told).digest('hex').slice(0, 16) };
}

/** The longest first, each to the shard that has least to do. One that nobody knows is taken to be of middle length. */
function byDuration(entries: readonly Entry[], count: number, durations: ReadonlyMap<string, number>): number[] {
  const known = entries.flatMap((entry) => durations.get(keyOf(entry)) ?? []).sort((one, other) => one - other);
  const middle = known[Math.floor(known.length / 2)] ?? 0;
  const lengths = entries.map((entry, index) => ({ index, ms: durations.get(keyOf(entry)) ?? middle }));
  const loads = Array.from({ length: count }, () => 0);
  const numbers: number[] = [];
  for (const { index, ms } of lengths.sort((one, other) => other.ms - one.ms || one.index - other.index)) {
    const least = loads.indexOf(Math.min(...loads));
    numbers[index] = least + 1;
    loads[least] = (loads[least] ?? 0) + ms;
  }
  return numbers;
}
