import { keyOf } from '@understudy/runner';
import type { PastRun } from '@understudy/verdict';
import type { Database } from './database.js';

interface PastRow {
  id: string;
  created_at: Date;
  exit_code: number;
  verdict: string;
  duration_ms: number;
  total: number;
  passed: number;
  tokens: string | null;
}

/** The last runs in the queue that have ended, the oldest first. */
export async function readQueueHistory(database: Database, count: number): Promise<PastRun[]> {
  const runs = await database.query<PastRow>(
    `SELECT id, created_at, exit_code, verdict, total, passed,
            extract(epoch FROM ended_at - created_at)::float * 1000 AS duration_ms,
            (SELECT sum(tokens) FROM understudy.results WHERE run = runs.id) AS tokens
     FROM understudy.runs WHERE state = 'done' ORDER BY created_at DESC LIMIT $1`,
    [count],
  );
  const tests = await database.query<{ run: string; id: string; stage: string; status: string; duration_ms: number }>(
    'SELECT run, id, stage, status, duration_ms FROM understudy.history WHERE run = ANY($1) AND round = 1',
    [runs.map(({ id }) => id)],
  );
  const byRun = new Map<string, PastRun['tests']>(runs.map(({ id }) => [id, {}]));
  for (const { run, status, duration_ms: ms, ...test } of tests) {
    const of = byRun.get(run);
    if (of !== undefined) of[keyOf(test)] = [status, ms];
  }
  return runs.reverse().map(({ id, created_at, tokens, ...run }) => ({
    ...{ ...run, at: created_at.toISOString(), command: 'run' as const },
    ...(tokens === null ? {} : { tokens: Number(tokens) }),
    tests: byRun.get(id) ?? {},
  }));
}

/** Removes runs that ended so many days ago, with all that belongs to them. */
export async function removeOldRuns(database: Database, days: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    "DELETE FROM understudy.runs WHERE state <> 'running' AND ended_at < now() - $1 * interval '1 day' RETURNING id",
    [days],
  );
  await database.query("DELETE FROM understudy.live_starts WHERE at < now() - interval '1 hour'");
  return rows.map(({ id }) => id);
}
