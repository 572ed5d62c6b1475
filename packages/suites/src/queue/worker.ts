import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryResult } from '@understudy/verdict';
import { BundleCache } from './bundle-cache.js';
import type { Database } from './database.js';
import type { Jobs } from './jobs.js';
import {
  finishEntry,
  type Lease,
  type Logs,
  leaseKey,
  renewLeases,
  returnEntry,
  sweepLeases,
  type Taken,
  takeEntries,
} from './leases.js';
import { familyOf } from './queue-names.js';
import { endRunIfComplete } from './queued-run.js';

/** What playing an entry has given. */
export interface PlayedEntry {
  result: EntryResult;
  logs: Logs;
}

export interface WorkerOptions {
  database: Database;
  jobs: Jobs;
  lease: Lease;
  queues: readonly string[];
  /** Queues of entries that call real models. */
  liveQueues: ReadonlySet<string>;
  /** So many at the same time: all, and of one agent. */
  slots: number;
  perAgent: ReadonlyMap<string, number>;
  /** End when nothing waits and nobody plays. */
  untilEmpty: boolean;
  /** Plays an entry whose bundle is unpacked in `folder`. */
  play(taken: Taken, folder: string, context: PlayContext): Promise<PlayedEntry>;
  onTaken?(taken: Taken): void;
  onEnded?(taken: Taken, ended: EntryResult | 'late' | 'returned' | 'stopped'): void;
  signal: AbortSignal;
}

export interface PlayContext {
  signal: AbortSignal;
  onProgress(text: string): void;
}

interface Running {
  taken: Taken;
  stop: AbortController;
  progress: string;
  ended: Promise<void>;
}

/** A worker looks for work so often while it has none. */
const LOOK_MS = 300;
/** So long it does not look whether other queues have something, too. */
const HOT_MS = 250;

/** Takes entries from the queue and plays them, until it is asked to stop. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #running = new Map<string, Running>();
  readonly #bundles: BundleCache;
  /** What the loop waits for is over: something ended, or we are asked to stop. */
  #wake = new AbortController();
  #failure: unknown;
  /** A queue in which there was enough a moment ago. */
  #hot: { queue: string; until: number } | undefined;
  /** Runs of which this worker has finished entries since it last looked whether they are complete. */
  #touched = new Set<string>();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#bundles = new BundleCache(options.database);
  }

  async run(): Promise<void> {
    const { lease, signal } = this.#options;
    const stops = [
      this.#every(lease.leaseMs / 3, () => this.#renew()),
      this.#every(lease.leaseMs / 2, () => sweepLeases(this.#options.database, this.#options.jobs)),
    ];
    const onAbort = () => this.#wake.abort();
    signal.addEventListener('abort', onAbort);
    try {
      await this.#loop();
    } finally {
      signal.removeEventListener('abort', onAbort);
      for (const { stop } of this.#running.values()) stop.abort();
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
      await this.#endRuns().catch(() => {});
      for (const stop of stops) stop();
      await this.#bundles.close();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #loop(): Promise<void> {
    const { signal, untilEmpty } = this.#options;
    while (!signal.aborted && this.#failure === undefined) {
      this.#wake = new AbortController();
      const took = await this.#take();
      if (took > 0) continue;
      if (this.#running.size < this.#options.slots) await this.#endRuns();
      if (untilEmpty && this.#running.size === 0 && (await this.#isEmpty())) return;
      await sleep(LOOK_MS, undefined, { signal: this.#wake.signal }).catch(() => {});
    }
  }

  /** Fills the free slots, and gives how many were filled. No more is taken than can be played at once. */
  async #take(): Promise<number> {
    const { database, jobs, lease, liveQueues, slots } = this.#options;
    if (this.#running.size >= slots) return 0;
    let took = 0;
    for (const queue of await this.#candidates()) {
      const count = Math.min(slots - this.#running.size, this.#freeOf(queue));
      if (count <= 0) continue;
      const taken = await takeEntries(database, jobs, { queue, count, isLive: liveQueues.has(queue) }, lease);
      for (const each of taken) this.#start(each);
      took += taken.length;
      if (taken.length === count) this.#hot ??= { queue, until: performance.now() + HOT_MS };
      else this.#hot = undefined;
    }
    return took;
  }

  /** Where there was enough a moment ago, there is more; but the others must have their turn. */
  async #candidates(): Promise<string[]> {
    const hot = this.#hot;
    if (hot !== undefined && performance.now() < hot.until && this.#freeOf(hot.queue) > 0) return [hot.queue];
    this.#hot = undefined;
    return this.#waiting();
  }

  /** The queues in which something waits, in another order each time, so that none is always last. */
  async #waiting(): Promise<string[]> {
    const rows = await this.#options.database.query<{ queue: string }>(
      `SELECT queue FROM unnest($1::text[]) AS queue
       WHERE EXISTS (SELECT 1 FROM understudy.entries e WHERE e.queue = queue.queue AND e.state = 'queued')
       ORDER BY random()`,
      [this.#options.queues],
    );
    return rows.map(({ queue }) => queue);
  }

  #freeOf(queue: string): number {
    const [, agent = ''] = /^entries-([^-]+)/.exec(queue) ?? [];
    const limit = this.#options.perAgent.get(agent) ?? Number.POSITIVE_INFINITY;
    const used = [...this.#running.values()].filter(
      ({ taken }) => taken.stage !== 'sim' && familyOf(taken.agent) === agent,
    );
    return limit - used.length;
  }

  /** Only when nothing waits: as long as something does, some run has not ended. */
  async #endRuns(): Promise<void> {
    const runs = this.#touched;
    this.#touched = new Set();
    for (const run of runs) await endRunIfComplete(this.#options.database, run);
  }

  async #isEmpty(): Promise<boolean> {
    const open = await this.#options.database.query(
      "SELECT 1 FROM understudy.entries WHERE queue = ANY($1) AND state IN ('queued', 'running') LIMIT 1",
      [this.#options.queues],
    );
    return open.length === 0;
  }

  #start(taken: Taken): void {
    const stop = new AbortController();
    const key = leaseKey(taken);
    const running: Running = { taken, stop, progress: '', ended: Promise.resolve() };
    this.#options.onTaken?.(taken);
    this.#running.set(key, running);
    running.ended = this.#play(running)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#running.delete(key);
        this.#wake.abort();
      });
  }

  async #play(running: Running): Promise<void> {
    const { taken, stop } = running;
    const { database, jobs, lease, play, onEnded, signal } = this.#options;
    const onProgress = (text: string) => {
      running.progress = text;
    };
    const { result, logs } = await this.#bundles.use(taken.bundle, (folder) =>
      play(taken, folder, { signal: stop.signal, onProgress }),
    );
    if (result.status === 'interrupted' || (stop.signal.aborted && result.status !== 'passed')) {
      if (signal.aborted || this.#failure !== undefined) await returnEntry(database, jobs, taken, lease);
      onEnded?.(taken, signal.aborted ? 'returned' : 'stopped');
      return;
    }
    const marked = withAttempts(result, taken.attempt);
    const outcome = await finishEntry(database, jobs, taken, marked, logs, lease);
    this.#touched.add(taken.run);
    onEnded?.(taken, outcome === 'stored' ? marked : 'late');
  }

  /** What somebody else has now, or whose run was cancelled, is ended. */
  async #renew(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    const kept = await renewLeases(
      this.#options.database,
      running.map(({ taken, progress }) => ({ ...taken, progress })),
      this.#options.lease,
    );
    for (const { taken, stop } of running) if (!kept.has(leaseKey(taken))) stop.abort();
  }

  /** Does something again and again, one after the other. */
  #every(milliseconds: number, work: () => Promise<void>): () => void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      work()
        .catch((error: unknown) => {
          this.#failure ??= error;
          this.#wake.abort();
        })
        .finally(() => {
          isBusy = false;
        });
    }, milliseconds);
    return () => clearInterval(timer);
  }
}

/** Attempts of workers that died before count, too: nothing is played twice without a mark. */
function withAttempts(result: EntryResult, attempt: number): EntryResult {
  return { ...result, attempts: result.attempts + attempt - 1 };
}
