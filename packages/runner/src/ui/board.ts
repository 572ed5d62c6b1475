import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  concludeRun,
  detailsOf,
  type EntryLogs,
  type EntryResult,
  isRed,
  makeRun,
  overviewEntry,
  overviewOf,
  type PageDetails,
  type PageOverview,
  type Reporter,
  type RunResult,
  readLogs,
} from '@understudy/verdict';
import { baseOf, type Entry, type Playable, type Players } from '../run/entry.js';
import { scratchFolders } from '../run/folders.js';
import { playRun } from '../run/play-run.js';
import type { RunFolder } from '../run/run-folder.js';

export interface BoardOptions {
  /** All tests, read anew, and who plays them. `problems` has the files that cannot be read. */
  load(): Playable & { problems: string[] };
  folder: RunFolder;
  artifacts: string;
  version: string;
  workers?: number | undefined;
  /** Called with the results of all tests after each round. */
  onRound(run: RunResult): Promise<void>;
}

const NO_LOGS: EntryLogs = { events: [], requests: [] };

/** How often a look at the logs of running tests shows what is new in them. */
const LOOK_EVERY_MS = 250;

/** The tests of a folder with their last results: listed before they run, run on demand, watched while they run. */
export class Board {
  readonly #options: BoardOptions;
  #entries: Entry[] = [];
  #players: Players = {};
  #problems: string[] = [];
  readonly #results = new Map<string, EntryResult>();
  /** The folders of the tests that run now. */
  readonly #running = new Map<string, string>();
  /** What the logs of a running test had at the last look: its folder goes before its result comes. */
  readonly #seen = new Map<string, EntryLogs>();
  readonly #waiting = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #round: AbortController | undefined;
  #busy: Promise<void> | undefined;
  #sizes = '';

  constructor(options: BoardOptions) {
    this.#options = options;
    this.refresh();
  }

  /** Reads the tests again. Results of tests that are still there stay. */
  refresh(): void {
    ({ entries: this.#entries, players: this.#players, problems: this.#problems } = this.#options.load());
    const ids = new Set(this.#entries.map(({ id }) => id));
    for (const id of this.#results.keys()) if (!ids.has(id)) this.#results.delete(id);
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The tests of these files, by their ids. */
  idsOf(files: readonly string[]): string[] {
    return this.#entries.flatMap(({ id, file }) => (file !== undefined && files.includes(file) ? [id] : []));
  }

  overview(): PageOverview {
    const run = this.#result();
    const { run: page, entries } = overviewOf(
      run,
      run.entries.map((entry) => overviewEntry(entry, this.#logsOf(entry))),
    );
    const live = { problems: this.#problems, running: this.#running.size, waiting: this.#waiting.size };
    return {
      run: page,
      live,
      entries: entries.map((entry) => {
        const state = this.#running.has(entry.id)
          ? 'running'
          : this.#waiting.has(entry.id)
            ? 'waiting'
            : this.#results.has(entry.id)
              ? undefined
              : 'idle';
        return state === undefined ? entry : { ...entry, state };
      }),
    };
  }

  /** A test by its place in the overview. While it runs, what is in its logs so far. */
  details(index: number): PageDetails | undefined {
    const entry = this.#result().entries[index];
    if (entry === undefined) return undefined;
    const { reason: _, ...running } = entry;
    return detailsOf(this.#running.has(entry.id) ? running : entry, this.#logsOf(entry));
  }

  /** Runs tests, by their ids; those that run now are run again afterwards. */
  run(which: readonly string[] | 'all' | 'failed'): void {
    for (const { id } of this.#entries) {
      const result = this.#results.get(id);
      const asked =
        which === 'all' || (which === 'failed' ? result !== undefined && isRed(result) : which.includes(id));
      if (asked) this.#waiting.add(id);
    }
    this.#changed();
    this.#busy ??= this.#work().finally(() => {
      this.#busy = undefined;
      this.#changed();
    });
  }

  /** Ends what runs, and forgets what waits. */
  stop(): void {
    this.#waiting.clear();
    this.#round?.abort();
    this.#changed();
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.stop();
    await this.#busy;
  }

  async #work(): Promise<void> {
    const look = setInterval(() => this.#lookAtLogs(), LOOK_EVERY_MS);
    try {
      while (this.#waiting.size > 0 && !this.#ending.signal.aborted) await this.#playRound();
    } finally {
      clearInterval(look);
    }
  }

  async #playRound(): Promise<void> {
    const entries = this.#entries.filter(({ id }) => this.#waiting.has(id));
    const round = new AbortController();
    this.#round = round;
    const open = scratchFolders(this.#options.artifacts, this.#options.folder);
    const { version, workers, onRound } = this.#options;
    const openFolder = (entry: Entry) => {
      const folder = open(entry);
      this.#running.set(entry.id, join(folder.path, 'artifacts'));
      return folder;
    };
    await playRun(
      { entries },
      {
        run: { command: 'run', understudy_version: version },
        players: this.#players,
        ...{ workers, openFolder, reporter: () => this.#reporter(), signal: round.signal },
      },
    );
    if (!round.signal.aborted) await onRound(concludeRun(this.#result()));
  }

  #reporter(): Reporter {
    return {
      start() {},
      begin: ({ id }) => {
        this.#waiting.delete(id);
        this.#running.set(id, '');
        this.#changed();
      },
      step: () => this.#changed(),
      end: ({ id }, result) => {
        this.#running.delete(id);
        this.#seen.delete(id);
        if (result.status !== 'interrupted') this.#results.set(id, result);
        this.#changed();
      },
      finish() {},
    };
  }

  #lookAtLogs(): void {
    const size = (folder: string) => statSync(join(folder, 'events.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
    const sizes = [...this.#running.values()].map(size).join(' ');
    if (sizes !== this.#sizes) this.#changed();
    this.#sizes = sizes;
  }

  #logsOf(entry: EntryResult): EntryLogs {
    const running = this.#running.get(entry.id);
    if (running === undefined) return readLogs(entry, this.#options.folder.path);
    const logs = running === '' ? NO_LOGS : readLogs({ logs: '.' }, running);
    if (logs.events.length > 0) this.#seen.set(entry.id, logs);
    return this.#seen.get(entry.id) ?? logs;
  }

  /** All tests as one run; a test that did not run yet is neither green nor red. */
  #result(): RunResult {
    const entries = this.#entries.map((entry) => this.#results.get(entry.id) ?? notRunYet(entry));
    const ran = entries.filter(({ id }) => this.#results.has(id));
    return makeRun({ command: 'run', understudy_version: this.#options.version }, entries, {
      startedAt: new Date().toISOString(),
      durationMs: ran.reduce((sum, { duration_ms: ms }) => sum + ms, 0),
      mayBeEmpty: true,
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function notRunYet(entry: Entry): EntryResult {
  return { ...baseOf(entry), status: 'skipped', reason: 'not run yet' };
}
