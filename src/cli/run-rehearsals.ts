import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../agents/driver.js';
import { loadRehearsal } from '../rehearsal/load.js';
import { exitCodeOf } from '../rehearsal/result.js';
import { linesReporter } from '../reporters/lines.js';
import { liveReporter } from '../reporters/live.js';
import { type Reporter, silentReporter } from '../reporters/reporter.js';
import { findRehearsals } from '../runner/find-rehearsals.js';
import { lastFailed, RUN_FOLDER, rememberRun } from '../runner/last-run.js';
import { type PlanOptions, planRun } from '../runner/plan.js';
import { runPlan } from '../runner/run-plan.js';
import { Watch } from '../runner/watch.js';
import { print, printError, printJson } from './output.js';

interface Options {
  stage?: Stage;
  agent?: string[];
  filter?: string;
  workers?: number;
  shard?: { index: number; count: number };
  repeat?: number;
  retries?: number;
  lastFailed?: true;
  watch?: true;
  keepWorkspace?: true;
  update?: true;
  reporter?: 'live' | 'lines' | 'json';
  json?: true;
}

const INTERRUPTED = 130;

/** Runs rehearsals and gives the exit code; with `--watch`, until it is interrupted. */
export async function runRehearsals(paths: readonly string[], options: Options): Promise<number> {
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    if (options.watch === true) await watchAndRun(paths, options, interrupt.signal);
    else {
      const code = await runOnce(findRehearsals(paths), options, interrupt.signal);
      if (!interrupt.signal.aborted) return code;
    }
    return INTERRUPTED;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function watchAndRun(paths: readonly string[], options: Options, signal: AbortSignal): Promise<void> {
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  let due = findRehearsals(paths);
  while (due.length > 0 && !signal.aborted) {
    const watch = new Watch([...new Set([...findRehearsals(paths), ...due])], folders);
    try {
      await runOnce(due, options, signal).catch(printError);
      if (!signal.aborted) print('\nwatching; Ctrl-C ends');
      due = await watch.touched(signal);
    } finally {
      watch.close();
    }
  }
}

async function runOnce(files: readonly string[], options: Options, signal: AbortSignal): Promise<number> {
  const entries = planRun(files.map(loadRehearsal), planOptions(options));
  const json = options.json === true || options.reporter === 'json';
  const run = await runPlan(entries, {
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    ...(options.retries === undefined ? {} : { retries: options.retries }),
    keepWorkspace: options.keepWorkspace ?? false,
    updateSnapshots: options.update ?? false,
    artifacts: join(RUN_FOLDER, 'artifacts'),
    reporter: json ? silentReporter : reporterFor(options.reporter),
    signal,
  });
  // Half a run says nothing about what it did not reach.
  if (!signal.aborted) rememberRun(run);
  if (json) printJson(run);
  return exitCodeOf(run);
}

function planOptions({ agent, stage, filter, repeat, shard, lastFailed: onlyFailed }: Options): PlanOptions {
  const only = onlyFailed === true ? lastFailed() : undefined;
  return {
    ...(agent === undefined ? {} : { agents: agent }),
    ...(stage === undefined ? {} : { stage }),
    ...(filter === undefined ? {} : { filter }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(shard === undefined ? {} : { shard }),
    ...(only === undefined ? {} : { only }),
  };
}

function reporterFor(name: Options['reporter']): Reporter {
  return (name ?? (process.stdout.isTTY === true ? 'live' : 'lines')) === 'live'
    ? liveReporter(process.stdout)
    : linesReporter(print);
}
