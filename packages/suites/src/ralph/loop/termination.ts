import type { LoopConfig } from './config.js';

/** Why a loop ends, with its exit code. */
export const exitCodes = {
  completed: 0,
  cancelled: 0,
  max_iterations: 2,
  max_runtime: 2,
  consecutive_failures: 1,
  loop_stale: 1,
  loop_thrashing: 1,
  backend_unavailable: 1,
  interrupted: 130,
} as const;

export type TerminationReason = keyof typeof exitCodes;

/** What is compared with the limits. */
export interface Progress {
  iterations: number;
  elapsedMs: number;
  consecutiveFailures: number;
  /** How many iterations in a row wrote exactly the same events. */
  sameEvents: number;
  /** How often an abandoned task was started again. */
  redispatches: number;
}

type Limits = Pick<LoopConfig['event_loop'], 'max_iterations' | 'max_runtime_seconds' | 'max_consecutive_failures'>;

const PATIENCE = 3;

/** The limit that stops the loop before its next iteration, if any. */
export function limitReached(progress: Progress, limits: Limits): TerminationReason | undefined {
  if (progress.iterations >= limits.max_iterations) return 'max_iterations';
  if (progress.elapsedMs >= limits.max_runtime_seconds * 1000) return 'max_runtime';
  if (progress.consecutiveFailures >= limits.max_consecutive_failures) return 'consecutive_failures';
  if (progress.redispatches >= PATIENCE) return 'loop_thrashing';
  if (progress.sameEvents >= PATIENCE) return 'loop_stale';
  return undefined;
}
