import { setTimeout as sleep } from 'node:timers/promises';
import { lazyRequire, UnderstudyError } from '@understudy/kit';
import type * as Pg from 'pg';
import type { Pool } from 'pg';
import { databaseError, describeAddress, isAway, isUndone, parseAddress } from './address.js';

/** Runs statements, alone or in a transaction. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  /** How long a database may be away when we first ask it. */
  firstPatienceMs?: number;
  /** How long it may be away later: it may be restarted while we work. */
  patienceMs?: number;
  connections?: number;
}

const FIRST_PATIENCE_MS = 3_000;
const PATIENCE_MS = 5 * 60_000;
const LOOK_AGAIN_MS = 250;

/** A Postgres. What is done in it must bear being done again: when a connection breaks, nobody knows whether it was. */
export class Database implements Sql {
  readonly address: string;
  readonly #pool: Pool;
  readonly #patienceMs: number;

  private constructor(pool: Pool, address: string, patienceMs: number) {
    this.#pool = pool;
    this.address = address;
    this.#patienceMs = patienceMs;
  }

  static async open(url: string, options: DatabaseOptions = {}): Promise<Database> {
    const address = parseAddress(url);
    const { Pool } = loadDriver('pg') as typeof Pg;
    const pool = new Pool({
      connectionString: address,
      application_name: 'understudy',
      max: options.connections ?? 4,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // An idle connection that breaks is replaced when it is needed.
    pool.on('error', () => {});
    const database = new Database(pool, describeAddress(address), options.patienceMs ?? PATIENCE_MS);
    try {
      await database.#stubbornly(() => pool.query('SELECT 1'), options.firstPatienceMs ?? FIRST_PATIENCE_MS);
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return this.#stubbornly(async () => (await this.#pool.query<Row>(text, listOf(values))).rows);
  }

  /** All of it or nothing. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#stubbornly(() => this.#once(work));
  }

  /** Does something on other connections while nobody else does the same. */
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T> {
    return this.transaction(async (sql) => {
      await sql.query('SELECT pg_advisory_xact_lock($1)', [lock]);
      return work();
    });
  }

  async #once<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const result = await work({
        query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
          (await client.query<Row>(text, listOf(values))).rows,
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      if (isAway(error)) broken ??= error as Error;
      else await client.query('ROLLBACK').catch(onError);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  async #stubbornly<T>(work: () => Promise<T>, patienceMs = this.#patienceMs): Promise<T> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(isAway(error) || isUndone(error)) || performance.now() > deadline)
          throw databaseError(error, this.address);
        await sleep(LOOK_AGAIN_MS);
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Without values the text may be several statements. */
function listOf(values: readonly unknown[] | undefined): unknown[] | undefined {
  return values === undefined || values.length === 0 ? undefined : [...values];
}

/** Loads a package that is there only where somebody uses the queue. */
export function loadDriver(name: string): unknown {
  try {
    return lazyRequire(name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new UnderstudyError(
      'QUEUE_NOT_INSTALLED',
      `a package is missing: ${(cause as Error).message.split('\n')[0]}`,
      {
        cause,
      },
    );
  }
}
