import type PgBoss from 'pg-boss';
import { type Database, loadDriver, type Sql } from './database.js';

/** The schema in which pg-boss has its tables. */
const JOBS_SCHEMA = 'understudy_jobs';

/** Leases say when a worker is gone, long before this. */
const EXPIRE_SECONDS = 23 * 60 * 60;
/** How often an entry is played again is decided by its attempts. */
const RETRY_LIMIT = 1000;
const SETUP_LOCK = 7_316_005_022;

/** As many in one statement. */
const BATCH = 1000;

/** A job: an entry of a run that waits for a worker, or is with one. */
export interface Job {
  id: string;
  queue: string;
}

/** The queues themselves, by pg-boss. All of it can be part of a transaction. */
export class Jobs {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** `maintain`: archive and remove old jobs now and then; workers do that. */
  static async open(database: Database, queues: readonly string[], { maintain = false } = {}): Promise<Jobs> {
    const Boss = loadDriver('pg-boss') as typeof PgBoss;
    const boss = new Boss({ db: dbOf(database), schema: JOBS_SCHEMA, supervise: maintain, schedule: false });
    boss.on('error', () => {});
    const jobs = new Jobs(boss);
    try {
      // One after the other: queues that are made side by side lock each other out.
      await database.exclusively(SETUP_LOCK, async () => {
        await boss.start();
        await jobs.#createQueues(queues);
      });
      return jobs;
    } catch (error) {
      await jobs.close();
      throw error;
    }
  }

  async #createQueues(queues: readonly string[]): Promise<void> {
    const known = new Set((await this.#boss.getQueues()).map(({ name }) => name));
    const missing = queues.filter((name) => !known.has(name));
    if (missing.length === 0) return;
    for (const name of missing) {
      await this.#boss.createQueue(name, { name, retryLimit: RETRY_LIMIT, expireInSeconds: EXPIRE_SECONDS });
    }
    await this.#indexOrder();
  }

  /** Without it, each take sorts all jobs that wait. */
  async #indexOrder(): Promise<void> {
    const { rows } = await this.#boss.getDb().executeSql(`SELECT partition_name AS name FROM ${JOBS_SCHEMA}.queue`, []);
    for (const { name } of rows as { name: string }[]) {
      await this.#boss
        .getDb()
        .executeSql(
          `CREATE INDEX IF NOT EXISTS ${name}_order ON ${JOBS_SCHEMA}.${name} (priority DESC, created_on, id) WHERE state < 'active'`,
          [],
        );
    }
  }

  async add(jobs: readonly Job[], sql: Sql): Promise<void> {
    for (let from = 0; from < jobs.length; from += BATCH) {
      const batch = jobs.slice(from, from + BATCH).map(({ id, queue }) => ({
        ...{ id, name: queue, retryLimit: RETRY_LIMIT, retryDelay: 0, expireInSeconds: EXPIRE_SECONDS },
      }));
      await this.#boss.insert(batch, { db: dbOf(sql) });
    }
  }

  /** Takes up to so many jobs; nobody else gets them. */
  async take(queue: string, count: number, sql: Sql): Promise<string[]> {
    const jobs = await this.#boss.fetch(queue, { batchSize: count, db: dbOf(sql) });
    return jobs.map(({ id }) => id);
  }

  async complete({ id, queue }: Job, sql: Sql): Promise<void> {
    await this.#boss.complete(queue, id, {}, { db: dbOf(sql) });
  }

  /** Somebody else may take it. */
  async giveBack({ id, queue }: Job, sql: Sql): Promise<void> {
    await this.#boss.fail(queue, id, {}, { db: dbOf(sql) });
  }

  async cancel(queue: string, ids: readonly string[], sql: Sql): Promise<void> {
    if (ids.length > 0) await this.#boss.cancel(queue, [...ids], { db: dbOf(sql) });
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: false, close: false, wait: false });
  }
}

function dbOf(sql: Sql): PgBoss.Db {
  return { executeSql: async (text, values) => ({ rows: await sql.query(text, values) }) };
}
