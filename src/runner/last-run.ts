import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { entryId } from '../rehearsal/entry.js';
import type { RehearsalResult, RunResult } from '../rehearsal/result.js';

const lastRunSchema = z.object({ failed: z.array(z.object({ id: z.string(), file: z.string() })) });

/** The folder for what runs leave behind, in the current one; meant to be ignored by git. */
export const RUN_FOLDER = '.understudy';

const FILE = 'last-run.json';

/** Remembers what failed, for `--last-failed`. What failed before and was not run now is still remembered. */
export function rememberRun({ rehearsals }: RunResult, folder = RUN_FOLDER): void {
  const ran = new Set(rehearsals.map(idOf));
  const before = read(folder).filter(({ id, file }) => !ran.has(id) && existsSync(file));
  const now = rehearsals.filter(hasFailed).map((result) => ({ id: idOf(result), file: result.file }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  writeFileSync(join(folder, FILE), JSON.stringify({ failed: [...before, ...now] }));
}

/** The entries that failed last time; undefined when there was no last time. */
export function lastFailed(folder = RUN_FOLDER): ReadonlySet<string> | undefined {
  return existsSync(join(folder, FILE)) ? new Set(read(folder).map(({ id }) => id)) : undefined;
}

function read(folder: string): z.infer<typeof lastRunSchema>['failed'] {
  try {
    return lastRunSchema.parse(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).failed;
  } catch {
    // Absent, or written by another version: then nothing is remembered.
    return [];
  }
}

function idOf({ file, agent, stage }: RehearsalResult): string {
  return entryId({ rehearsal: { file }, agent, stage });
}

function hasFailed({ status }: RehearsalResult): boolean {
  return status === 'failed' || status === 'error';
}
