import type { RunResult } from '@understudy/verdict';
import type { RunRehearsalsOptions } from './run-paths.js';

/**
 * Runs rehearsals as `understudy run` does, and gives the whole result. A red rehearsal is a result, not an error. What
 * cannot be run at all (no such path, nothing found, no such stage) is an `UnderstudyError`.
 */
export async function runRehearsals(
  paths: string | readonly string[],
  options: RunRehearsalsOptions = {},
): Promise<RunResult> {
  // Who imports the package for something else does not load all that runs a rehearsal.
  const { runPaths } = await import('./run-paths.js');
  return runPaths([paths].flat(), options);
}
