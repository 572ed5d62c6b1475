import { countOf, UnderstudyError } from '@understudy/kit';
import type { RunResult } from '@understudy/verdict';
import type { Entry } from './entry.js';
import { compileFilter } from './filter.js';
import type { FailedBefore } from './last-run.js';
import { cutShards, type ShardNumber } from './shards.js';

export interface PlanOptions {
  /** A part of the id, the name, the file or a tag; or an expression: `@hooks and not @slow`. */
  filter?: string | undefined;
  /** How often each is played; on the live stage, that is one entry with a rate. */
  repeat?: number | undefined;
  shard?: ShardNumber | undefined;
  /** How long entries took last time, by their keys: shards are cut to the same length by it. */
  durations?: ReadonlyMap<string, number> | undefined;
  /** Only those that failed last time. */
  only?: FailedBefore | undefined;
  /** Only those that a change can touch; that none is left is no error. */
  touched?: ((entry: Entry) => boolean) | undefined;
  /** A plan without entries is no error. */
  mayBeEmpty?: boolean | undefined;
}

/** What is to be run, and how it was divided. */
export interface Plan {
  entries: Entry[];
  /** The own shard, with a mark of how all were cut: shards that were cut differently do not belong together. */
  shard?: RunResult['shard'];
}

/**
 * Everything that is to be run, in order. A plan without entries is an error, because a run of nothing is not a success;
 * only a shard may be empty.
 */
export function planRun(entries: readonly Entry[], options: PlanOptions): Plan {
  const { filter, only, touched = () => true, shard, repeat = 1, mayBeEmpty = false } = options;
  const matches = compileFilter(filter);
  const filtered = entries.filter(matches);
  if (filtered.length === 0 && !mayBeEmpty) {
    throw nothing(entries, `nothing has "${filter}" in its name, file or tags`);
  }
  const chosen = filtered.filter((entry) => only === undefined || only(entry));
  if (chosen.length === 0 && !mayBeEmpty) {
    throw nothing(entries, 'none of them failed last time on this agent and stage; run without --last-failed');
  }
  const rounds = chosen.filter(touched).flatMap((entry) => roundsOf(entry, repeat));
  if (shard === undefined) return { entries: rounds };
  // Fewer entries than shards: that one has nothing to do is no fault of it.
  const { numbers, cut } = cutShards(rounds, shard.count, options.durations);
  const places = [...rounds.keys()].filter((place) => numbers[place] === shard.index);
  return { entries: places.flatMap((place) => rounds[place] ?? []), shard: { ...shard, cut, places } };
}

function roundsOf(entry: Entry, repeat: number): Entry[] {
  return Array.from({ length: entry.stage === 'live' ? 1 : repeat }, (_, index) => ({ ...entry, round: index + 1 }));
}

function nothing(entries: readonly Entry[], fix: string): UnderstudyError {
  const found = countOf(entries.length, 'entry', 'entries');
  return new UnderstudyError('NOTHING_TO_RUN', `${found} found, but none is to be run`, { fix });
}
