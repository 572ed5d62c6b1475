import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { refuseLinks, writeOwnFile } from '../process/own-folder.js';
import { type EntryResult, isRed } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { withFolderLock } from './folder-lock.js';

const lastRunSchema = z.object({
  failed: z.array(z.object({ id: z.string(), stage: z.string(), file: z.string().optional() })),
});

/** The folder for what runs leave behind, in the current one; meant to be ignored by git. */
export const RUN_FOLDER = '.understudy';

const FILE = 'last-run.json';

/** Remembers what failed, for `--last-failed`. What failed before and was not run now is still remembered. */
export async function rememberRun(run: Pick<RunResult, 'entries'>, folder = RUN_FOLDER): Promise<void> {
  refuseLinks(folder);
  return withFolderLock(folder, async () => remember(run, folder));
}

function remember({ entries }: Pick<RunResult, 'entries'>, folder: string): void {
  const ran = new Set(entries.map(keyOf));
  const before = read(folder).filter(
    (entry) => !ran.has(keyOf(entry)) && (entry.file === undefined || existsSync(entry.file)),
  );
  const now = new Map(entries.filter(isRed).map(({ id, stage, file }) => [keyOf({ id, stage }), { id, stage, file }]));
  writeOwnFile(join(folder, '.gitignore'), '*\n');
  writeOwnFile(join(folder, FILE), JSON.stringify({ failed: [...before, ...now.values()] }));
}

/** What an entry is remembered by: a case has the same id on every stage. */
export function keyOf({ id, stage }: Pick<EntryResult, 'id' | 'stage'>): string {
  return `${id} on ${stage}`;
}

/** The keys of the entries that failed last time; undefined when there was no last time. */
export function lastFailed(folder = RUN_FOLDER): ReadonlySet<string> | undefined {
  refuseLinks(folder);
  return existsSync(join(folder, FILE)) ? new Set(read(folder).map(keyOf)) : undefined;
}

function read(folder: string): z.infer<typeof lastRunSchema>['failed'] {
  try {
    return lastRunSchema.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).failed;
  } catch {
    // Absent, or written by another version: then nothing is remembered.
    return [];
  }
}
