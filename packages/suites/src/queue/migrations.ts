import { UnderstudyError } from '@understudy/kit';
import type { Database, Sql } from './database.js';

/** Each brings the tables from one version to the next. What was released is never changed; docs/scale.md describes it. */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE understudy.blobs (
  hash text PRIMARY KEY,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE understudy.bundles (
  hash text PRIMARY KEY,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE understudy.bundle_files (
  bundle text NOT NULL REFERENCES understudy.bundles ON DELETE CASCADE,
  path text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('file', 'link', 'folder')),
  hash text REFERENCES understudy.blobs,
  executable boolean NOT NULL DEFAULT false,
  target text,
  PRIMARY KEY (bundle, path)
);
CREATE INDEX bundle_files_hash ON understudy.bundle_files (hash);
CREATE TABLE understudy.runs (
  id text PRIMARY KEY,
  bundle text NOT NULL REFERENCES understudy.bundles,
  base text NOT NULL,
  understudy_version text NOT NULL,
  options json NOT NULL,
  strict boolean NOT NULL DEFAULT false,
  live_per_minute integer,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  total integer NOT NULL,
  passed integer,
  failed integer,
  exit_code integer,
  verdict text
);
CREATE INDEX runs_created_at ON understudy.runs (created_at);
CREATE TABLE understudy.entries (
  run text NOT NULL REFERENCES understudy.runs ON DELETE CASCADE,
  place integer NOT NULL,
  id text NOT NULL,
  agent text NOT NULL,
  stage text NOT NULL,
  round integer NOT NULL,
  description json NOT NULL,
  queue text NOT NULL,
  job uuid NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'cancelled')),
  PRIMARY KEY (run, place),
  UNIQUE (run, id, stage, round)
);
CREATE UNIQUE INDEX entries_job ON understudy.entries (job);
CREATE INDEX entries_queued ON understudy.entries (queue) WHERE state = 'queued';
CREATE INDEX entries_open ON understudy.entries (run) WHERE state IN ('queued', 'running');
CREATE TABLE understudy.attempts (
  run text NOT NULL,
  place integer NOT NULL,
  attempt integer NOT NULL,
  worker text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz NOT NULL,
  ended_at timestamptz,
  outcome text CHECK (outcome IN ('done', 'lost', 'returned', 'cancelled')),
  progress text,
  PRIMARY KEY (run, place, attempt),
  FOREIGN KEY (run, place) REFERENCES understudy.entries ON DELETE CASCADE
);
CREATE UNIQUE INDEX attempts_one_open ON understudy.attempts (run, place) WHERE outcome IS NULL;
CREATE UNIQUE INDEX attempts_one_done ON understudy.attempts (run, place) WHERE outcome = 'done';
CREATE INDEX attempts_leases ON understudy.attempts (lease_until) WHERE outcome IS NULL;
CREATE TABLE understudy.results (
  run text NOT NULL,
  place integer NOT NULL,
  attempt integer NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL,
  duration_ms double precision NOT NULL,
  tokens bigint,
  cost_usd double precision,
  result json NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run, place, attempt),
  FOREIGN KEY (run, place, attempt) REFERENCES understudy.attempts ON DELETE CASCADE
);
CREATE UNIQUE INDEX results_one_per_entry ON understudy.results (run, place);
CREATE INDEX results_number ON understudy.results (run, number);
CREATE TABLE understudy.logs (
  run text NOT NULL,
  place integer NOT NULL,
  name text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (run, place, name),
  FOREIGN KEY (run, place) REFERENCES understudy.entries ON DELETE CASCADE
);
CREATE TABLE understudy.live_starts (
  queue text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX live_starts_at ON understudy.live_starts (queue, at);
CREATE VIEW understudy.history AS
  SELECT e.id, e.agent, e.stage, e.round, r.status, r.duration_ms, r.tokens, r.cost_usd, r.attempt,
         r.finished_at, e.run, runs.created_at AS run_created_at, runs.understudy_version
  FROM understudy.results r
  JOIN understudy.entries e USING (run, place)
  JOIN understudy.runs ON runs.id = e.run;
`,
];

const SCHEMA_VERSION = MIGRATIONS.length;

/** Several processes may come at the same moment: one of them does it. */
const LOCK = 7_316_005_021;

/** Brings the tables to the version of this program. Tables of a newer one are refused. */
export async function migrate(database: Database): Promise<void> {
  if ((await versionOf(database)) === SCHEMA_VERSION) return;
  await database.transaction(async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await sql.query('CREATE SCHEMA IF NOT EXISTS understudy');
    await sql.query('CREATE TABLE IF NOT EXISTS understudy.schema_version (version integer NOT NULL)');
    const version = (await versionOf(sql)) ?? 0;
    if (version > SCHEMA_VERSION) {
      throw new UnderstudyError(
        'QUEUE_SCHEMA_NEWER',
        `the tables in ${database.address} have version ${version}, and this understudy knows ${SCHEMA_VERSION}`,
      );
    }
    for (const statements of MIGRATIONS.slice(version)) await sql.query(statements);
    await sql.query('DELETE FROM understudy.schema_version');
    await sql.query('INSERT INTO understudy.schema_version VALUES ($1)', [SCHEMA_VERSION]);
  });
}

async function versionOf(sql: Sql): Promise<number | undefined> {
  const [found] = await sql.query<{ name: string | null }>("SELECT to_regclass('understudy.schema_version') AS name");
  if (found?.name == null) return undefined;
  const [row] = await sql.query<{ version: number }>('SELECT version FROM understudy.schema_version');
  return row?.version;
}
