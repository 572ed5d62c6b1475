import type { Stage } from '../agents/driver.js';
import { UnderstudyError } from '../errors.js';
import { type Entry, entryId } from '../rehearsal/entry.js';
import type { Rehearsal } from '../rehearsal/load.js';

export interface PlanOptions {
  /** Instead of what the rehearsals say. */
  agents?: readonly string[];
  stage?: Stage;
  /** A part of the name, the file or a tag. */
  filter?: string;
  repeat?: number;
  shard?: { index: number; count: number };
  /** Only those that failed last time. */
  only?: ReadonlySet<string>;
}

/** Everything that is to be run, in order. A plan without entries is an error: nothing that ran is no success. */
export function planRun(rehearsals: readonly Rehearsal[], options: PlanOptions): Entry[] {
  const { filter, only, shard, repeat = 1 } = options;
  const filtered = rehearsals.filter((rehearsal) => matchesFilter(rehearsal, filter));
  if (filtered.length === 0) throw nothing(rehearsals, `nothing has "${filter}" in its name, file or tags`);
  const entries = filtered
    .flatMap((rehearsal) => onAgents(rehearsal, options))
    .filter((entry) => only === undefined || only.has(entryId(entry)));
  if (entries.length === 0) {
    throw nothing(rehearsals, 'none of them failed last time on this agent and stage; run without --last-failed');
  }
  const rounds = entries.flatMap((entry) =>
    Array.from({ length: repeat }, (_, index) => ({ ...entry, round: index + 1 })),
  );
  const own = rounds.filter((_, index) => shard === undefined || index % shard.count === shard.index - 1);
  if (own.length > 0) return own;
  throw nothing(rehearsals, `shard ${shard?.index} of ${shard?.count} is empty: use at most ${rounds.length} shards`);
}

function onAgents(rehearsal: Rehearsal, { agents, stage }: PlanOptions): Entry[] {
  const { document } = rehearsal;
  return (agents ?? [document.agent ?? 'claude'].flat()).map((agent) => ({
    rehearsal,
    agent,
    stage: stage ?? document.stage ?? 'scripted',
    round: 1,
  }));
}

function matchesFilter({ name, file, document }: Rehearsal, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const wanted = filter.toLowerCase();
  return [name, file, ...(document.tags ?? [])].some((text) => text.toLowerCase().includes(wanted));
}

function nothing({ length }: readonly Rehearsal[], fix: string): UnderstudyError {
  return new UnderstudyError(
    'NOTHING_TO_RUN',
    `none of ${length} ${length === 1 ? 'rehearsal' : 'rehearsals'} is left to run`,
    { fix },
  );
}
