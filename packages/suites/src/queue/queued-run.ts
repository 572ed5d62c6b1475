import { UnderstudyError } from '@understudy/kit';
import { baseOf, type Entry, INTERRUPTED_REASON } from '@understudy/runner';
import { type EntryResult, makeRun, type RunResult, summarize } from '@understudy/verdict';
import type { Database, Sql } from './database.js';

/** How the entries of a run are to be played. */
export interface QueueOptions {
  runs?: number | undefined;
  threshold?: number | undefined;
  retries?: number | undefined;
}

/** A run as its table has it. */
export interface QueuedRun {
  id: string;
  bundle: string;
  base: string;
  understudy_version: string;
  options: QueueOptions;
  strict: boolean;
  state: 'running' | 'done' | 'cancelled';
  created_at: Date;
  ended_at: Date | null;
  total: number;
  exit_code: number | null;
  verdict: string | null;
  passed: number | null;
  failed: number | null;
}

const COLUMNS =
  'id, bundle, base, understudy_version, options, strict, state, created_at, ended_at, total, exit_code, verdict, passed, failed';

export async function findRun(sql: Sql, id: string): Promise<QueuedRun> {
  const [run] = await sql.query<QueuedRun>(`SELECT ${COLUMNS} FROM understudy.runs WHERE id = $1`, [id]);
  if (run !== undefined) return run;
  throw new UnderstudyError('QUEUE_RUN_UNKNOWN', `there is no run ${id} in the queue`);
}

/** The newest runs first. */
export function listRuns(sql: Sql, count: number): Promise<QueuedRun[]> {
  return sql.query<QueuedRun>(`SELECT ${COLUMNS} FROM understudy.runs ORDER BY created_at DESC LIMIT $1`, [count]);
}

/** The entries of a run in the order of the plan. Their parts are paths from the root of the bundle. */
export async function entriesOf(sql: Sql, run: string): Promise<Entry[]> {
  const rows = await sql.query<{ entry: Entry }>(
    'SELECT description AS entry FROM understudy.entries WHERE run = $1 ORDER BY place',
    [run],
  );
  return rows.map(({ entry }) => entry);
}

/** A result, by the place of its entry, and where it stands among all results. */
export interface NumberedResult {
  place: number;
  number: string;
  result: EntryResult;
}

/** Results after a number, at most so many. */
export function resultsAfter(sql: Sql, run: string, number: string, count: number): Promise<NumberedResult[]> {
  return sql.query<NumberedResult>(
    'SELECT place, number, result FROM understudy.results WHERE run = $1 AND number > $2 ORDER BY number LIMIT $3',
    [run, number, count],
  );
}

/** The results of all entries but these. A number may be given before another one, and be seen after it. */
export function resultsBut(sql: Sql, run: string, places: readonly number[]): Promise<NumberedResult[]> {
  return sql.query<NumberedResult>(
    'SELECT place, number, result FROM understudy.results WHERE run = $1 AND place <> ALL($2::int[]) ORDER BY number',
    [run, places],
  );
}

/** The one document of a run, from what the workers have stored. What has no result was interrupted. */
export async function readQueuedRun(database: Database, id: string): Promise<RunResult> {
  const run = await findRun(database, id);
  const entries = await entriesOf(database, id);
  const results = new Map((await resultsBut(database, id, [])).map(({ place, result }) => [place, result]));
  const reason = run.state === 'running' ? 'it has not ended yet' : INTERRUPTED_REASON;
  const all = entries.map(
    (entry, place): EntryResult => results.get(place) ?? { ...baseOf(entry), status: 'interrupted', reason },
  );
  const head = {
    command: 'run' as const,
    understudy_version: run.understudy_version,
    ...(run.strict ? { strict: true } : {}),
  };
  return makeRun(head, all, {
    startedAt: run.created_at.toISOString(),
    durationMs: (run.ended_at ?? new Date()).getTime() - run.created_at.getTime(),
  });
}

/** Ends a run whose entries all have. Whoever sees it first does it; it must not be part of another transaction. */
export async function endRunIfComplete(database: Database, id: string): Promise<void> {
  const [open] = await database.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM understudy.entries WHERE run = $1 AND state IN ('queued', 'running'))
       OR NOT EXISTS (SELECT 1 FROM understudy.runs WHERE id = $1 AND state = 'running') AS open`,
    [id],
  );
  if (open?.open !== false) return;
  const statuses = await database.query<Pick<EntryResult, 'status'>>(
    'SELECT status FROM understudy.results WHERE run = $1',
    [id],
  );
  const { strict } = await findRun(database, id);
  const { counts, exit_code, verdict } = summarize(statuses, 'rehearsal', strict);
  await database.query(
    `UPDATE understudy.runs SET state = 'done', ended_at = now(), passed = $2, failed = $3, exit_code = $4, verdict = $5
     WHERE id = $1 AND state = 'running'`,
    [id, counts.passed + counts.flaky, counts.failed + counts.unjudged + counts.errors, exit_code, verdict],
  );
}
