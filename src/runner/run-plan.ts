import { availableParallelism } from 'node:os';
import { UnderstudyError } from '../errors.js';
import { createScratch } from '../process/scratch.js';
import type { Entry } from '../rehearsal/entry.js';
import { rehearse } from '../rehearsal/rehearse.js';
import { type RehearsalResult, type RunResult, summarise } from '../rehearsal/result.js';
import type { Reporter } from '../reporters/reporter.js';
import { keepArtifacts } from './artifacts.js';

export interface RunOptions {
  workers?: number;
  /** How often a rehearsal that failed on the live stage is tried again. */
  retries?: number;
  keepWorkspace?: boolean;
  updateSnapshots?: boolean;
  /** Where failures leave their events, requests and project. */
  artifacts: string;
  reporter: Reporter;
  signal: AbortSignal;
}

/** Runs the entries side by side. What was interrupted is not in the result. */
export async function runPlan(entries: readonly Entry[], options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const results: (RehearsalResult | undefined)[] = entries.map(() => undefined);
  let next = 0;
  const work = async () => {
    while (next < entries.length && !options.signal.aborted) {
      const index = next++;
      const entry = entries[index];
      if (entry === undefined) continue;
      options.reporter.begin(entry);
      const result = await runEntry(entry, options);
      if (options.signal.aborted && result.status !== 'passed') return;
      results[index] = result;
      options.reporter.end(entry, result);
    }
  };
  options.reporter.start(entries);
  const workers = Math.max(1, Math.min(options.workers ?? availableParallelism() + 1, entries.length));
  await Promise.all(Array.from({ length: workers }, work));
  const ended = results.filter((result) => result !== undefined);
  const run = summarise(ended, performance.now() - started, entries.length - ended.length);
  options.reporter.finish(run);
  return run;
}

async function runEntry(entry: Entry, options: RunOptions): Promise<RehearsalResult> {
  const reason = entry.rehearsal.document.skip?.[entry.stage];
  const base = {
    file: entry.rehearsal.file,
    name: entry.rehearsal.name,
    agent: entry.agent,
    stage: entry.stage,
    round: entry.round,
  };
  if (reason !== undefined)
    return { ...base, status: 'skipped', reason, steps: [], checks: [], attempts: 0, milliseconds: 0 };
  const started = performance.now();
  // A script gives the same result every time: only a live model deserves a second chance.
  const tries = 1 + (entry.stage === 'live' ? (options.retries ?? 0) : 0);
  let result: RehearsalResult = { ...base, status: 'error', steps: [], checks: [], attempts: 0, milliseconds: 0 };
  for (let attempt = 1; attempt <= tries && !options.signal.aborted; attempt++) {
    const played = await attemptOnce(entry, options);
    const status = played.status === 'passed' && attempt > 1 ? 'flaky' : played.status;
    result = { ...base, ...played, status, attempts: attempt, milliseconds: performance.now() - started };
    if (status === 'passed' || status === 'flaky') break;
  }
  return result;
}

async function attemptOnce(
  entry: Entry,
  options: RunOptions,
): Promise<Pick<RehearsalResult, 'status' | 'steps' | 'checks' | 'error' | 'artifacts'>> {
  const scratch = createScratch('rehearsal');
  try {
    const played = await rehearse(entry.rehearsal, {
      agent: entry.agent,
      stage: entry.stage,
      folder: scratch.path,
      snapshots: { update: options.updateSnapshots ?? false, ci: process.env['CI'] === 'true' },
      onStep: (number, total, send) => options.reporter.step(entry, number, total, send),
      signal: options.signal,
    });
    const keep = options.keepWorkspace === true || (played.status === 'failed' && !options.signal.aborted);
    return { ...played, ...(keep ? { artifacts: keepArtifacts(entry, scratch.path, options.artifacts) } : {}) };
  } catch (error) {
    const failure = { status: 'error' as const, steps: [], checks: [], error: describeError(error) };
    // What was interrupted is nobody's failure to look at.
    if (options.signal.aborted) return failure;
    return { ...failure, artifacts: keepArtifacts(entry, scratch.path, options.artifacts) };
  } finally {
    await scratch.remove();
  }
}

function describeError(error: unknown): NonNullable<RehearsalResult['error']> {
  if (error instanceof UnderstudyError) {
    return { code: error.code, message: error.message, ...(error.fix === undefined ? {} : { fix: error.fix }) };
  }
  return { code: 'INTERNAL', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
