import { appendFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, refuseLinks, writeOwnFile } from '@understudy/kit';
import { allTokens, type PastRun, type RunResult } from '@understudy/verdict';
import * as z from 'zod/mini';
import { withFolderLock } from './folder-lock.js';
import { keyOf, RUN_FOLDER } from './last-run.js';

const FILE = 'history.jsonl';
/** Older runs are forgotten. */
const KEPT = 100;

const pastRunSchema: z.ZodMiniType<PastRun> = z.object({
  at: z.string(),
  command: z.enum(['run', 'e2e']),
  exit_code: z.number(),
  verdict: z.string(),
  duration_ms: z.number(),
  total: z.number(),
  passed: z.number(),
  tokens: z.optional(z.number()),
  tests: z.record(z.string(), z.tuple([z.string(), z.number()])),
});

/** Adds a line for a run to the history. Only the last runs are kept. A shard is no run of its own. */
export async function addToHistory(run: RunResult, folder = RUN_FOLDER): Promise<void> {
  if (run.shard !== undefined) return;
  refuseLinks(folder);
  return withFolderLock(folder, async () => add(run, folder));
}

function add(run: RunResult, folder: string): void {
  const file = join(folder, FILE);
  const before = (readIfThere(file) ?? '').split('\n').filter(Boolean);
  const line = JSON.stringify(summaryOf(run));
  if (before.length < KEPT) {
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  } else writeOwnFile(file, `${[...before.slice(1 - KEPT), line].join('\n')}\n`);
}

function summaryOf(run: RunResult): PastRun {
  const tokens = run.entries.flatMap((entry) => allTokens(entry) ?? []);
  const { total, passed, flaky } = run.counts;
  return {
    ...{ at: run.started_at, command: run.command, exit_code: run.exit_code, verdict: run.verdict },
    ...{ duration_ms: run.duration_ms, total, passed: passed + flaky },
    ...(tokens.length === 0 ? {} : { tokens: tokens.reduce((sum, count) => sum + count, 0) }),
    tests: Object.fromEntries(
      run.entries
        .filter(({ round }) => round === 1)
        .map((entry) => [keyOf(entry), [entry.status, entry.duration_ms] as const]),
    ) as PastRun['tests'],
  };
}

/** The last runs, the oldest first. Lines of another version are left out. */
export function readHistory(folder = RUN_FOLDER): PastRun[] {
  refuseLinks(folder);
  const file = join(folder, FILE);
  return (readIfThere(file) ?? '').split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [pastRunSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
