import { randomBytes, randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { UnderstudyError } from '@understudy/kit';
import { type Bundle, type Entry, sentEntry } from '@understudy/runner';
import { storeBundle } from './bundle-store.js';
import type { Database } from './database.js';
import type { Jobs } from './jobs.js';
import { queueOf } from './queue-names.js';
import type { QueueOptions } from './queued-run.js';

export interface Submission {
  entries: readonly Entry[];
  bundle: Bundle;
  /** The folder from which paths are shown. */
  base: string;
  version: string;
  options: QueueOptions;
  strict: boolean;
  livePerMinute?: number | undefined;
  /** No more than so many entries may wait. */
  limit: number;
}

/** Puts a run into the queue, all of it or nothing, and gives its id. */
export async function submitRun(database: Database, jobs: Jobs, submission: Submission): Promise<string> {
  const { entries, bundle, base, version, options, strict, livePerMinute, limit } = submission;
  const id = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}-${randomBytes(4).toString('hex')}`;
  const queued = entries.map((entry, place) => ({
    ...{ entry, job: orderedId(place), queue: queueOf(entry) },
    sent: sentEntry(entry, (part) => relative(bundle.root, part)),
  }));
  await storeBundle(database, bundle);
  await refuseFull(database, queued.length, limit);
  await database.transaction(async (sql) => {
    const added = await sql.query(
      `INSERT INTO understudy.runs (id, bundle, base, understudy_version, options, strict, live_per_minute, total)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
      [
        id,
        bundle.hash,
        relative(bundle.root, base),
        version,
        JSON.stringify(options),
        strict,
        livePerMinute ?? null,
        queued.length,
      ],
    );
    // The connection broke after it was done.
    if (added.length === 0) return;
    await sql.query(
      `INSERT INTO understudy.entries (run, place, id, agent, stage, round, description, queue, job)
       SELECT $1, * FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::json[], $8::text[], $9::uuid[])`,
      [
        id,
        queued.map((_, place) => place),
        queued.map(({ entry }) => entry.id),
        queued.map(({ entry }) => entry.agent),
        queued.map(({ entry }) => entry.stage),
        queued.map(({ entry }) => entry.round),
        queued.map(({ sent }) => JSON.stringify(sent)),
        queued.map(({ queue }) => queue),
        queued.map(({ job }) => job),
      ],
    );
    await jobs.add(
      queued.map(({ job, queue }) => ({ id: job, queue })),
      sql,
    );
  });
  return id;
}

/** Jobs of one moment are taken in the order of their ids: in that of the plan. */
function orderedId(place: number): string {
  return `${place.toString(16).padStart(8, '0')}${randomUUID().slice(8)}`;
}

async function refuseFull(database: Database, more: number, limit: number): Promise<void> {
  const [row] = await database.query<{ count: string }>(
    "SELECT count(*) FROM understudy.entries WHERE state = 'queued'",
  );
  const waiting = Number(row?.count ?? 0);
  if (waiting + more <= limit) return;
  throw new UnderstudyError(
    'QUEUE_FULL',
    `${waiting} entries wait in the queue, and ${more} more would be over --queue-limit ${limit}`,
  );
}
