import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeIfPossible } from '@understudy/kit';
import { type EntryResult, entryResultSchema } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { Entry } from './entry.js';
import { fingerprintOf } from './fingerprint.js';
import { keyOf } from './last-run.js';

/** The results of a run that has not ended, in the folder of the run. */
export const JOURNAL_FILE = 'journal.jsonl';

const plannedSchema = z.strictObject({ key: z.string(), round: z.int(), fingerprint: z.string() });

const headSchema = z.strictObject({
  journal: z.literal(1),
  understudy_version: z.string(),
  started_at: z.string(),
  /** The flags that decide a verdict. */
  settings: z.record(z.string(), z.unknown()),
  entries: z.array(plannedSchema),
});

const finishedSchema = z.strictObject({ place: z.int(), elapsed_ms: z.number(), result: entryResultSchema });

export type JournalHead = z.infer<typeof headSchema>;

/** What a journal says of a run that was killed. */
export interface ReadJournal {
  head: JournalHead;
  /** The results by their places in the plan. */
  finished: Map<number, EntryResult>;
  /** How long the run had taken when its last entry ended. */
  elapsedMs: number;
}

/** What a run is, as far as another one must be the same to go on with it. */
export function headOf(
  entries: readonly Entry[],
  { understudy_version, settings }: Pick<JournalHead, 'understudy_version' | 'settings'>,
): JournalHead {
  return {
    journal: 1,
    understudy_version,
    started_at: new Date().toISOString(),
    settings: JSON.parse(JSON.stringify(settings)) as JournalHead['settings'],
    entries: entries.map((entry) => ({
      ...{ key: keyOf(entry), round: entry.round },
      fingerprint: fingerprintOf(entry.parts ?? []),
    })),
  };
}

/**
 * Writes each result as it comes, each in a line of its own by one write, so that a killed run loses only what it was
 * playing. The file is made with the first result.
 */
export class Journal {
  readonly #file: string;
  readonly #head: JournalHead;
  readonly #started = performance.now();
  readonly #earlierMs: number;
  #hasHead: boolean;
  /** A write that failed may have left half a line. */
  #isTorn = false;

  constructor(folder: string, head: JournalHead, earlier?: ReadJournal) {
    this.#file = join(folder, JOURNAL_FILE);
    this.#head = earlier?.head ?? head;
    this.#earlierMs = earlier?.elapsedMs ?? 0;
    this.#hasHead = earlier !== undefined;
    // The line that the killed run was writing.
    this.#isTorn = earlier !== undefined;
  }

  /** Whether there is something to resume. */
  get hasResults(): boolean {
    return this.#hasHead;
  }

  /** The folder must be there. */
  add(place: number, result: EntryResult): void {
    const elapsed_ms = Math.round(this.#earlierMs + performance.now() - this.#started);
    const line = `${JSON.stringify({ place, elapsed_ms, result })}\n`;
    const head = this.#hasHead ? '' : `${JSON.stringify(this.#head)}\n`;
    const before = this.#isTorn ? '\n' : '';
    this.#isTorn = true;
    appendFileSync(this.#file, `${before}${head}${line}`, { mode: 0o600 });
    this.#isTorn = false;
    this.#hasHead = true;
  }

  /** The run has ended, and its result is stored. */
  remove(): void {
    removeIfPossible(this.#file);
  }
}

/** Reads the journal in the folder of a run; nothing where there is none that can be read. Torn lines are left out. */
export function readJournal(folder: string): ReadJournal | undefined {
  const file = join(folder, JOURNAL_FILE);
  if (!existsSync(file)) return undefined;
  const [first, ...lines] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const head = headSchema.safeParse(parsed(first));
  if (!head.success) return undefined;
  const finished = new Map<number, EntryResult>();
  let elapsedMs = 0;
  for (const line of lines) {
    const { success, data } = finishedSchema.safeParse(parsed(line));
    if (!success) continue;
    finished.set(data.place, data.result);
    elapsedMs = Math.max(elapsedMs, data.elapsed_ms);
  }
  return { head: head.data, finished, elapsedMs };
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
