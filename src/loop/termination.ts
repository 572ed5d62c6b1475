/** Why a loop ended. */
export type TerminationReason =
  | 'completed'
  | 'cancelled'
  | 'max_iterations'
  | 'max_runtime'
  | 'consecutive_failures'
  | 'loop_stale'
  | 'loop_thrashing'
  | 'backend_unavailable'
  | 'interrupted';

const EXIT_CODES: Record<TerminationReason, number> = {
  completed: 0,
  cancelled: 0,
  max_iterations: 2,
  max_runtime: 2,
  consecutive_failures: 1,
  loop_stale: 1,
  loop_thrashing: 1,
  backend_unavailable: 1,
  interrupted: 130,
};

/** The exit code that tells a reason to a script. */
export function exitCodeOf(reason: TerminationReason): number {
  return EXIT_CODES[reason];
}

/** What the limits look at. */
export interface Progress {
  iterations: number;
  elapsedMs: number;
  consecutiveFailures: number;
  /** How often in a row an iteration wrote the very same events. */
  sameEvents: number;
  /** How often a task was given out again after it was abandoned. */
  redispatches: number;
}

export interface Limits {
  maxIterations: number;
  maxRuntimeSeconds: number;
  maxConsecutiveFailures: number;
}

const PATIENCE = 3;

/** The limit that stops the loop before its next iteration, if one does. */
export function limitReached(progress: Progress, limits: Limits): TerminationReason | undefined {
  if (progress.iterations >= limits.maxIterations) return 'max_iterations';
  if (progress.elapsedMs >= limits.maxRuntimeSeconds * 1000) return 'max_runtime';
  if (progress.consecutiveFailures >= limits.maxConsecutiveFailures) return 'consecutive_failures';
  if (progress.redispatches >= PATIENCE) return 'loop_thrashing';
  if (progress.sameEvents >= PATIENCE) return 'loop_stale';
  return undefined;
}
