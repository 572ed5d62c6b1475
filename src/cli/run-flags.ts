import { resolve } from 'node:path';
import { asUnderstudyError } from '../process/system-error.js';
import { jsonReporter } from '../reporters/json.js';
import { listReporter } from '../reporters/list.js';
import { liveReporter } from '../reporters/live.js';
import type { Reporter } from '../reporters/reporter.js';
import type { RunResult } from '../results/run-result.js';
import { lastFailed, RUN_FOLDER, rememberRun } from '../runner/last-run.js';
import type { PlanOptions } from '../runner/plan.js';
import { print, printWarning } from './output.js';

/** The flags that `run` and `e2e` share; `commands/run-options.ts` declares them. */
export interface RunFlags {
  filter?: string;
  workers?: number;
  shard?: { index: number; count: number };
  repeat?: number;
  retries?: number;
  maxFailures?: number;
  strict?: true;
  lastFailed?: true;
  watch?: true;
  keepWorkspace?: true;
  reporter?: 'live' | 'list' | 'json';
  json?: true;
  verbose?: true;
  quiet?: true;
}

export function planOptions({ filter, repeat, shard, lastFailed: onlyFailed }: RunFlags): PlanOptions {
  return { filter, repeat, shard, only: onlyFailed === true ? lastFailed() : undefined };
}

/** What the flags ask for; on a terminal live, else a list. */
export function reporterFor({ reporter, json, verbose, quiet }: RunFlags): Reporter {
  if (json === true || reporter === 'json') return jsonReporter((text) => process.stdout.write(text));
  const live = reporter === undefined ? process.stdout.isTTY === true && quiet !== true : reporter === 'live';
  return live ? liveReporter(process.stdout, { verbose, quiet }) : listReporter(print, { verbose, quiet });
}

/** Remembers a run for `--last-failed`. In a folder that cannot be written to, the result counts all the same. */
export async function rememberIfPossible(run: RunResult): Promise<void> {
  try {
    await rememberRun(run);
  } catch (error) {
    printWarning(asUnderstudyError(error, resolve(RUN_FOLDER)));
  }
}
