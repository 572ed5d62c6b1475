import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '@understudy/kit';
import type { EntryResult, Reporter, RunResult } from '@understudy/verdict';
import type { Database } from './database.js';
import type { Jobs } from './jobs.js';
import { cancelRun, sweepLeases } from './leases.js';
import {
  endRunIfComplete,
  entriesOf,
  findRun,
  type NumberedResult,
  readQueuedRun,
  resultsAfter,
  resultsBut,
} from './queued-run.js';

const LOOK_MS = 250;
/** So many results at a time. */
const BATCH = 200;
/** Dead workers are looked for so often by who waits: there may be no other worker. */
const SWEEP_MS = 5_000;

/** Reports to a reporter what happens in a run, until it has ended. An abort cancels the run. */
export async function followRun(
  database: Database,
  jobs: Jobs,
  id: string,
  { reporter, signal }: { reporter: Reporter; signal: AbortSignal },
): Promise<RunResult> {
  const run = await findRun(database, id);
  const entries = await entriesOf(database, id);
  const begun = new Set<number>();
  const seen = new Set<number>();
  let last = '0';
  let swept = performance.now();
  const begin = (place: number) => {
    const entry = entries[place];
    if (entry === undefined || begun.has(place)) return entry;
    begun.add(place);
    reporter.begin(entry);
    return entry;
  };
  const tell = ({ place, result }: NumberedResult) => {
    const entry = begin(place);
    if (entry === undefined || seen.has(place)) return;
    seen.add(place);
    reporter.end(entry, result);
  };
  reporter.start({ command: 'run', understudy_version: run.understudy_version, entries });
  for (;;) {
    if (signal.aborted) await cancelRun(database, jobs, id);
    const { state } = await findRun(database, id);
    const results = await resultsAfter(database, id, last, BATCH);
    for (const result of results) tell(result);
    last = results.at(-1)?.number ?? last;
    if (results.length === BATCH) continue;
    if (state !== 'running') break;
    for (const { place, progress } of await openAttempts(database, id)) {
      const entry = begin(place);
      const [, number, total, what] = /^(\d+)\/(\d+) (.*)$/s.exec(progress ?? '') ?? [];
      if (entry !== undefined && what !== undefined) reporter.step(entry, Number(number), Number(total), what);
    }
    if (performance.now() - swept > SWEEP_MS) {
      swept = performance.now();
      await sweepLeases(database, jobs);
      await endRunIfComplete(database, id);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  for (const result of await resultsBut(database, id, [...seen])) tell(result);
  return readQueuedRun(database, id);
}

function openAttempts(database: Database, run: string): Promise<{ place: number; progress: string | null }[]> {
  return database.query('SELECT place, progress FROM understudy.attempts WHERE run = $1 AND outcome IS NULL', [run]);
}

/** Writes the logs of all entries into the folder of a run, where reports look for them. */
export async function writeLogs(
  database: Database,
  id: string,
  entries: readonly EntryResult[],
  folder: string,
): Promise<void> {
  for (const [place, { logs }] of entries.entries()) {
    if (logs === undefined) continue;
    const files = await database.query<{ name: string; content: Buffer }>(
      'SELECT name, content FROM understudy.logs WHERE run = $1 AND place = $2',
      [id, place],
    );
    if (files.length > 0) makeFolder(join(folder, logs), 0o700);
    for (const { name, content } of files) writeFileSync(join(folder, logs, name), content, { mode: 0o600 });
  }
}
