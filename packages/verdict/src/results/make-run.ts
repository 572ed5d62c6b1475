import { release } from 'node:os';
import type { EntryResult } from './entry-result.js';
import type { RunResult } from './run-result.js';
import { summarize } from './summarize.js';

/** What a run says of itself, whatever becomes of its entries. */
export interface RunHead
  extends Pick<
    RunResult,
    'command' | 'understudy_version' | 'config' | 'shard' | 'strict' | 'agents' | 'orchestrator'
  > {
  /** What is known of the environment besides this machine. */
  environment?: Partial<RunResult['environment']>;
}

/** When a run began and how long it took. */
interface RunTimes {
  startedAt: string;
  durationMs: number;
  /** A run of nothing is a success. */
  mayBeEmpty?: boolean | undefined;
}

/** Makes the one document of a run from the results of its entries. */
export function makeRun(
  { environment, ...head }: RunHead,
  entries: EntryResult[],
  { startedAt, durationMs, mayBeEmpty }: RunTimes,
): RunResult {
  return {
    schema_version: 2,
    ...head,
    started_at: startedAt,
    duration_ms: durationMs,
    ...summarize(entries, head.command === 'e2e' ? 'case' : 'rehearsal', head.strict, mayBeEmpty),
    environment: { os: `${process.platform} ${process.arch} ${release()}`, node: process.version, ...environment },
    entries,
  };
}
