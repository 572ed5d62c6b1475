import { UnderstudyError } from '@understudy/kit';
import { baseOf, type Entry } from '@understudy/runner';
import { allTokens, type EntryResult } from '@understudy/verdict';
import type { Database, Sql } from './database.js';
import type { Jobs } from './jobs.js';
import { endRunIfComplete, type QueueOptions } from './queued-run.js';

/** An entry that a worker has taken: nobody else plays it as long as its lease is renewed. */
export interface Taken {
  run: string;
  place: number;
  attempt: number;
  queue: string;
  job: string;
  agent: string;
  stage: string;
  /** Its parts are paths from the root of the bundle. */
  entry: Entry;
  bundle: string;
  base: string;
  options: QueueOptions;
}

/** An entry whose workers died so often has killed them. */
const MOST_LOST = 3;

export interface Lease {
  worker: string;
  version: string;
  leaseMs: number;
}

/** Takes up to so many entries of a queue. Job and attempt change together or not at all. */
export function takeEntries(
  database: Database,
  jobs: Jobs,
  { queue, count, isLive }: { queue: string; count: number; isLive: boolean },
  { worker, version, leaseMs }: Lease,
): Promise<Taken[]> {
  return database.transaction(async (sql) => {
    const allowed = isLive ? await liveStartsAllowed(sql, queue, count) : count;
    if (allowed === 0) return [];
    const ids = await jobs.take(queue, allowed, sql);
    if (ids.length === 0) return [];
    const taken = await sql.query<Taken & { understudy_version: string }>(
      `WITH mine AS (
         UPDATE understudy.entries SET state = 'running' WHERE job = ANY($1::uuid[]) AND state = 'queued'
         RETURNING run, place, queue, job, agent, stage, description AS entry
       ), begun AS (
         INSERT INTO understudy.attempts (run, place, attempt, worker, lease_until)
         SELECT run, place, 1 + coalesce((SELECT max(attempt) FROM understudy.attempts a
                                          WHERE a.run = mine.run AND a.place = mine.place), 0),
                $2, now() + $3 * interval '1 millisecond' FROM mine
         RETURNING run, place, attempt
       )
       SELECT mine.*, begun.attempt, runs.bundle, runs.base, runs.options, runs.understudy_version
       FROM mine JOIN begun USING (run, place) JOIN understudy.runs ON runs.id = mine.run ORDER BY place`,
      [ids, worker, leaseMs],
    );
    for (const { run, understudy_version: other } of taken)
      if (other !== version) throw otherVersion(run, other, version);
    // What was cancelled meanwhile is in no queue any more.
    const kept = new Set(taken.map(({ job }) => job));
    for (const id of ids) if (!kept.has(id)) await jobs.complete({ id, queue }, sql);
    if (isLive) {
      await sql.query('INSERT INTO understudy.live_starts (queue) SELECT unnest($1::text[])', [taken.map(() => queue)]);
    }
    return taken;
  });
}

function otherVersion(run: string, other: string, version: string): UnderstudyError {
  return new UnderstudyError(
    'QUEUE_OTHER_VERSION',
    `run ${run} was put in by understudy ${other}, and this worker is ${version}`,
    { fix: `Install agent-understudy@${other} on this machine, or put the run in again with ${version}.` },
  );
}

/** How many live entries of this queue may start now, by the smallest limit of the runs that go on. */
async function liveStartsAllowed(sql: Sql, queue: string, count: number): Promise<number> {
  // One after the other, or two workers would count the same starts.
  await sql.query('SELECT pg_advisory_xact_lock(hashtext($1))', [queue]);
  const [row] = await sql.query<{ limit: number | null; started: string }>(
    `SELECT (SELECT min(live_per_minute) FROM understudy.runs WHERE state = 'running') AS limit,
            (SELECT count(*) FROM understudy.live_starts WHERE queue = $1 AND at > now() - interval '1 minute') AS started`,
    [queue],
  );
  if (row === undefined || row.limit === null) return count;
  return Math.max(0, Math.min(count, row.limit - Number(row.started)));
}

/** Renews the leases of a worker, and gives the keys of those that it still has and may go on with. */
export async function renewLeases(
  database: Database,
  taken: readonly (Taken & { progress: string })[],
  { worker, leaseMs }: Lease,
): Promise<Set<string>> {
  const rows = await database.query<{ run: string; place: number; attempt: number }>(
    `UPDATE understudy.attempts a SET lease_until = now() + $2 * interval '1 millisecond', progress = mine.progress
     FROM unnest($3::text[], $4::int[], $5::int[], $6::text[]) AS mine (run, place, attempt, progress),
          understudy.runs r
     WHERE a.run = mine.run AND a.place = mine.place AND a.attempt = mine.attempt AND a.worker = $1
       AND a.outcome IS NULL AND r.id = a.run AND r.state = 'running'
     RETURNING a.run, a.place, a.attempt`,
    [
      worker,
      leaseMs,
      taken.map(({ run }) => run),
      taken.map(({ place }) => place),
      taken.map(({ attempt }) => attempt),
      taken.map(({ progress }) => progress.replaceAll('\0', '')),
    ],
  );
  return new Set(rows.map(leaseKey));
}

export function leaseKey({ run, place, attempt }: Pick<Taken, 'run' | 'place' | 'attempt'>): string {
  return `${run} ${place} ${attempt}`;
}

/** The log files of an entry, by their names. */
export type Logs = ReadonlyMap<string, Buffer>;

/**
 * Stores the result of an attempt, if the worker still has it. A late one is dropped: somebody else plays the entry. The
 * run is not ended by it, see `endRunIfComplete`.
 */
export async function finishEntry(
  database: Database,
  jobs: Jobs,
  { run, place, attempt, queue, job }: Taken,
  result: EntryResult,
  logs: Logs,
  { worker }: Lease,
): Promise<'stored' | 'late'> {
  return database.transaction(async (sql) => {
    const key = { run, place, attempt };
    const ended = await addResult(sql, key, result, { outcome: 'done', worker });
    if (!ended) return (await isDoneBy(sql, { ...key, worker })) ? 'stored' : 'late';
    for (const [name, content] of logs) {
      await sql.query('INSERT INTO understudy.logs (run, place, name, content) VALUES ($1, $2, $3, $4)', [
        ...[run, place, name, content],
      ]);
    }
    await jobs.complete({ id: job, queue }, sql);
    return 'stored';
  });
}

/** Gives an entry back that a worker cannot play to its end, because it is asked to stop. */
export function returnEntry(database: Database, jobs: Jobs, taken: Taken, { worker }: Lease): Promise<void> {
  const { run, place, queue, job } = taken;
  return database.transaction(async (sql) => {
    if (!(await endReturned(sql, { ...taken, worker }))) return;
    await sql.query(
      "UPDATE understudy.entries SET state = 'queued' WHERE run = $1 AND place = $2 AND state = 'running'",
      [run, place],
    );
    await jobs.giveBack({ id: job, queue }, sql);
  });
}

type AttemptKey = Pick<Taken, 'run' | 'place' | 'attempt'>;

async function endReturned(
  sql: Sql,
  { run, place, attempt, worker }: AttemptKey & { worker: string },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE understudy.attempts SET outcome = 'returned', ended_at = now()
     WHERE run = $1 AND place = $2 AND attempt = $3 AND worker = $4 AND outcome IS NULL RETURNING attempt`,
    [run, place, attempt, worker],
  );
  return rows.length > 0;
}

/** It was stored, and the connection broke before the answer came. */
async function isDoneBy(sql: Sql, { run, place, attempt, worker }: AttemptKey & { worker: string }): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM understudy.attempts
     WHERE run = $1 AND place = $2 AND attempt = $3 AND worker = $4 AND outcome = 'done'`,
    [run, place, attempt, worker],
  );
  return rows.length > 0;
}

/** One statement: the attempt ends, the result is there, and the entry is done; or nothing, if the attempt had ended. */
async function addResult(
  sql: Sql,
  { run, place, attempt }: AttemptKey,
  result: EntryResult,
  { outcome, worker }: { outcome: 'done' | 'lost'; worker: string },
): Promise<boolean> {
  const rows = await sql.query(
    `WITH ended AS (
       UPDATE understudy.attempts SET outcome = $9, ended_at = now()
       WHERE run = $1 AND place = $2 AND attempt = $3 AND worker = $10 AND (outcome IS NULL OR outcome = 'lost' AND $9 = 'lost')
       RETURNING run, place, attempt
     ), added AS (
       INSERT INTO understudy.results (run, place, attempt, status, duration_ms, tokens, cost_usd, result)
       SELECT run, place, attempt, $4, $5, $6, $7, $8 FROM ended RETURNING run, place
     )
     UPDATE understudy.entries e SET state = 'done' FROM added WHERE e.run = added.run AND e.place = added.place
     RETURNING e.place`,
    [
      ...[run, place, attempt, result.status, result.duration_ms],
      ...[allTokens(result) ?? null, result.usage?.cost_usd ?? null, JSON.stringify(result), outcome, worker],
    ],
  );
  return rows.length > 0;
}

interface LostAttempt extends AttemptKey {
  worker: string;
  queue: string;
  job: string;
  entry: Entry;
  lost: number;
}

/** Puts back what dead or stopped workers had, and gives up entries that have cost too many of them. */
export async function sweepLeases(database: Database, jobs: Jobs): Promise<void> {
  const ended = await database.transaction(async (sql) => {
    const attempts = await sql.query<LostAttempt>(
      `WITH lost AS (
         UPDATE understudy.attempts SET outcome = 'lost', ended_at = now()
         WHERE (run, place, attempt) IN (
           SELECT run, place, attempt FROM understudy.attempts
           WHERE outcome IS NULL AND lease_until < now() FOR UPDATE SKIP LOCKED)
         RETURNING run, place, attempt, worker
       )
       SELECT lost.*, e.queue, e.job, e.description AS entry,
              1 + (SELECT count(*)::int FROM understudy.attempts a
                   WHERE a.run = lost.run AND a.place = lost.place AND a.outcome = 'lost') AS lost
       FROM lost JOIN understudy.entries e USING (run, place) WHERE e.state = 'running'`,
    );
    for (const lost of attempts) {
      const { run, place, queue, job } = lost;
      if (lost.lost >= MOST_LOST) {
        await addResult(sql, lost, lostResult(lost), { outcome: 'lost', worker: lost.worker });
        await jobs.complete({ id: job, queue }, sql);
      } else {
        await sql.query("UPDATE understudy.entries SET state = 'queued' WHERE run = $1 AND place = $2", [run, place]);
        await jobs.giveBack({ id: job, queue }, sql);
      }
    }
    return attempts.filter(({ lost }) => lost >= MOST_LOST).map(({ run }) => run);
  });
  for (const run of new Set(ended)) await endRunIfComplete(database, run);
}

function lostResult({ entry, worker, lost, attempt }: LostAttempt): EntryResult {
  return {
    ...baseOf(entry),
    status: 'error',
    attempts: attempt,
    error: {
      code: 'QUEUE_ENTRY_LOST',
      message: `${lost} workers died or stopped while they played it, the last one was ${worker}`,
      fix: 'Play it alone on one machine, and look at its memory and time.',
    },
  };
}

/** Cancels a run: what waits is not played, and workers end what they play. */
export async function cancelRun(database: Database, jobs: Jobs, run: string): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(
      "UPDATE understudy.runs SET state = 'cancelled', ended_at = now() WHERE id = $1 AND state = 'running'",
      [run],
    );
    const entries = await sql.query<{ queue: string; job: string }>(
      `UPDATE understudy.entries SET state = 'cancelled' WHERE run = $1 AND state IN ('queued', 'running')
       RETURNING queue, job`,
      [run],
    );
    await sql.query(
      "UPDATE understudy.attempts SET outcome = 'cancelled', ended_at = now() WHERE run = $1 AND outcome IS NULL",
      [run],
    );
    const queues = new Set(entries.map(({ queue }) => queue));
    for (const queue of queues) {
      await jobs.cancel(
        queue,
        entries.filter((entry) => entry.queue === queue).map(({ job }) => job),
        sql,
      );
    }
  });
}
