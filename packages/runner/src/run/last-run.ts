import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuseLinks, writeOwnFile } from '@understudy/kit';
import { type EntryResult, isRed, type RunResult } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { Entry } from './entry.js';
import { withFolderLock } from './folder-lock.js';

const rememberedSchema = z.object({ id: z.string(), stage: z.string(), file: z.optional(z.string()) });

const lastRunSchema = z.object({
  failed: z.array(rememberedSchema),
  /** How long each took, for shards of the same length. */
  took: z._default(
    z.array(
      z.extend(rememberedSchema, {
        ms: z.number().check(z.nonnegative()),
        /** What one play on a real model cost. */
        usd: z.optional(z.number().check(z.nonnegative())),
      }),
    ),
    [],
  ),
});

type LastRun = z.infer<typeof lastRunSchema>;

/** The folder for what runs leave behind, in the current one; meant to be ignored by git. */
export const RUN_FOLDER = '.understudy';

const FILE = 'last-run.json';

/**
 * Remembers what failed, for `--last-failed`, and how long each took, for `--shard`. What is known of those that were
 * not run now stays known. A shard does not change by what the next one is cut.
 */
export async function rememberRun(run: Pick<RunResult, 'entries' | 'shard'>, folder = RUN_FOLDER): Promise<void> {
  refuseLinks(folder);
  return withFolderLock(folder, async () => remember(run, folder));
}

function remember({ entries, shard }: Pick<RunResult, 'entries' | 'shard'>, folder: string): void {
  const ran = new Set(entries.map(keyOf));
  const before = read(folder);
  const files = new Set(entries.map(({ file }) => file));
  const isOther = (entry: z.infer<typeof rememberedSchema>) =>
    !ran.has(keyOf(entry)) &&
    (entry.file === undefined || existsSync(entry.file)) &&
    !(isOfBrokenFile(entry) && files.has(entry.file));
  const last: LastRun = {
    failed: [
      ...before.failed.filter(isOther),
      ...byKey(entries.filter(isRed), ({ id, stage, file }) => ({ id, stage, file })),
    ],
    took:
      shard === undefined
        ? [
            ...before.took.filter(isOther),
            ...byKey(entries.filter(hasEnded), ({ id, stage, file, duration_ms: ms, usage, rate }) => ({
              ...{ id, stage, file, ms },
              ...(usage?.cost_usd === undefined || stage !== 'live' ? {} : { usd: usage.cost_usd / (rate?.runs ?? 1) }),
            })),
          ]
        : before.took,
  };
  writeOwnFile(join(folder, '.gitignore'), '*\n');
  writeOwnFile(join(folder, FILE), JSON.stringify(last));
}

/** One for all rounds of an entry. */
function byKey<T>(entries: readonly EntryResult[], describe: (entry: EntryResult) => T): T[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), describe(entry)])).values()];
}

/** Others say nothing of how long it takes. */
function hasEnded({ status }: EntryResult): boolean {
  return status !== 'skipped' && status !== 'interrupted' && status !== 'error';
}

/** What an entry is remembered by: a case has the same id on every stage. */
export function keyOf({ id, stage }: Pick<EntryResult, 'id' | 'stage'>): string {
  return `${id} on ${stage}`;
}

/** Whether an entry failed last time. */
export type FailedBefore = (entry: Pick<Entry, 'id' | 'stage' | 'file' | 'broken'>) => boolean;

/**
 * What failed last time; undefined when there was no last time. Everything in a file that could not be loaded then
 * did; and one that cannot be loaded now may hold what did.
 */
export function lastFailed(folder = RUN_FOLDER): FailedBefore | undefined {
  refuseLinks(folder);
  if (!existsSync(join(folder, FILE))) return undefined;
  const { failed } = read(folder);
  const keys = new Set(failed.map(keyOf));
  const filesOf = (some: LastRun['failed']) => new Set(some.flatMap(({ file }) => file ?? []));
  const [files, broken] = [filesOf(failed), filesOf(failed.filter(isOfBrokenFile))];
  return (entry) =>
    keys.has(keyOf(entry)) ||
    (entry.file !== undefined && (entry.broken === undefined ? broken : files).has(entry.file));
}

/** What could not be loaded runs on nothing: its id is its file. */
function isOfBrokenFile({ id, file }: z.infer<typeof rememberedSchema>): boolean {
  return file !== undefined && resolve(id) === resolve(file);
}

/** How long the entries took last time, in milliseconds, by their keys. */
export function lastDurations(folder = RUN_FOLDER): ReadonlyMap<string, number> {
  refuseLinks(folder);
  return new Map(read(folder).took.map((entry) => [keyOf(entry), entry.ms]));
}

/** What one play of each entry cost last time, in dollars, by their keys. */
export function lastCosts(folder = RUN_FOLDER): ReadonlyMap<string, number> {
  refuseLinks(folder);
  return new Map(read(folder).took.flatMap((entry) => (entry.usd === undefined ? [] : [[keyOf(entry), entry.usd]])));
}

function read(folder: string): LastRun {
  try {
    return lastRunSchema.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
  } catch {
    // Absent, or written by another version: then nothing is remembered.
    return { failed: [], took: [] };
  }
}
