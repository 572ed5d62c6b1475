import { defined, UnderstudyError } from '@understudy/kit';
import type { EntryResult } from './entry-result.js';
import { makeRun } from './make-run.js';
import type { RunResult } from './run-result.js';

/** Makes one result of the shards of a run, or of several runs of the same kind. What does not belong together is refused. */
export function mergeRuns(runs: readonly RunResult[]): RunResult {
  const [first] = runs;
  if (first === undefined) throw mixed('there is no result to merge', 'Name the result folders of all shards.');
  for (const run of runs) refuseOther(first, run);
  const ordered = inShardOrder(runs);
  const entries = inPlanOrder(ordered);
  refuseDoubles(entries);
  const starts = runs.map(({ started_at }) => Date.parse(started_at));
  const ends = runs.map(({ started_at, duration_ms }) => Date.parse(started_at) + duration_ms);
  const start = Math.min(...starts);
  const agents = new Map(runs.flatMap((run) => run.agents ?? []).map((agent) => [agent.agent, agent]));
  const { shard: _, agents: _agents, isolation: _isolation, ...base } = first;
  const { command, understudy_version, strict, environment } = first;
  const times = { startedAt: new Date(start).toISOString(), durationMs: Math.max(...ends) - start };
  return {
    ...base,
    ...makeRun({ command, understudy_version, environment, ...defined({ strict }) }, entries, times),
    ...(agents.size === 0 ? {} : { agents: [...agents.values()] }),
  };
}

function refuseOther(first: RunResult, run: RunResult): void {
  const differs = (what: string, one: unknown, other: unknown, fix = 'Merge only the shards of one run.') => {
    if (one === other) return;
    throw mixed(
      `the results are of different runs: ${what} is ${String(one)} in one and ${String(other)} in another`,
      fix,
    );
  };
  differs('the command', first.command, run.command);
  differs('the version of understudy', first.understudy_version, run.understudy_version);
  differs('the number of shards', first.shard?.count, run.shard?.count);
  differs(
    'the cut of the shards',
    ...([first.shard?.cut, run.shard?.cut] as const),
    'Run all shards with the same tests and the same `.understudy/last-run.json`, or without that file.',
  );
  differs('the orchestrator', first.orchestrator?.version, run.orchestrator?.version);
  differs('--strict', first.strict, run.strict);
}

/** By their numbers; a shard that is missing or there twice is named. Runs without shards stay as they are. */
function inShardOrder(runs: readonly RunResult[]): readonly RunResult[] {
  const count = runs[0]?.shard?.count;
  if (count === undefined) return runs;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return numbers.map((number) => {
    const [found, second] = runs.filter((run) => run.shard?.index === number);
    if (found === undefined) {
      throw mixed(
        `shard ${number} of ${count} is missing`,
        `Add the result of the run with --shard ${number}/${count}.`,
      );
    }
    if (second !== undefined) throw mixed(`shard ${number} of ${count} is there twice`, 'Name each result once.');
    return found;
  });
}

/** Each shard knows the places of its entries in the plan. Runs without shards stand one after the other. */
function inPlanOrder(runs: readonly RunResult[]): EntryResult[] {
  return runs
    .flatMap(({ entries, shard }) => entries.map((entry, index) => ({ entry, place: shard?.places[index] ?? 0 })))
    .sort((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}

function refuseDoubles(entries: readonly EntryResult[]): void {
  const seen = new Set<string>();
  for (const { id, stage, round } of entries) {
    const key = JSON.stringify([id, stage, round]);
    if (seen.has(key)) throw mixed(`two results have the test ${id} on ${stage}`, 'Merge only the shards of one run.');
    seen.add(key);
  }
}

function mixed(message: string, fix: string): UnderstudyError {
  return new UnderstudyError('REPORTS_NOT_MERGED', message, { fix });
}
