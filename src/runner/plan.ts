import { UnderstudyError } from '../errors.js';
import type { Entry } from './entry.js';
import { keyOf } from './last-run.js';

export interface PlanOptions {
  /** A part of the id, the name, the file or a tag. */
  filter?: string | undefined;
  repeat?: number | undefined;
  shard?: { index: number; count: number } | undefined;
  /** Only those that failed last time, by their keys. */
  only?: ReadonlySet<string> | undefined;
}

/** Everything that is to be run, in order. A plan without entries is an error: a run of nothing is not a success. */
export function planRun(entries: readonly Entry[], options: PlanOptions): Entry[] {
  const { filter, only, shard, repeat = 1 } = options;
  const filtered = entries.filter((entry) => matchesFilter(entry, filter));
  if (filtered.length === 0) throw nothing(entries, `nothing has "${filter}" in its name, file or tags`);
  const chosen = filtered.filter((entry) => only === undefined || only.has(keyOf(entry)));
  if (chosen.length === 0) {
    throw nothing(entries, 'none of them failed last time on this agent and stage; run without --last-failed');
  }
  const rounds = chosen.flatMap((entry) =>
    Array.from({ length: repeat }, (_, index) => ({ ...entry, round: index + 1 })),
  );
  const own = rounds.filter((_, index) => shard === undefined || index % shard.count === shard.index - 1);
  if (own.length > 0) return own;
  throw nothing(entries, `shard ${shard?.index} of ${shard?.count} is empty: use at most ${rounds.length} shards`);
}

/** Whether the filter is a part of the id, the name, the file or a tag. */
export function matchesFilter(
  { id, name, file, tags }: Pick<Entry, 'id' | 'name' | 'file' | 'tags'>,
  filter: string | undefined,
): boolean {
  if (filter === undefined) return true;
  const wanted = filter.toLowerCase();
  return [id, name, file ?? '', ...tags].some((text) => text.toLowerCase().includes(wanted));
}

function nothing(entries: readonly Entry[], fix: string): UnderstudyError {
  const found = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  return new UnderstudyError('NOTHING_TO_RUN', `${found} found, but none is to be run`, { fix });
}
