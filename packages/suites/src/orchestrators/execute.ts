import { type Enclosure, type Environment, type OutputBudget, runToEnd } from '@understudy/kit';
import type { StepRun } from './observation.js';

export interface ExecuteOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  timeoutMs: number;
  interrupted?: AbortSignal | undefined;
  /** What it and others may write together. */
  output?: OutputBudget;
}

/** Runs the orchestrator once, to its end or to its deadline, and notes which processes it left behind. */
export async function execute({ timeoutMs, ...options }: ExecuteOptions): Promise<StepRun> {
  const outcome = await runToEnd({ ...options, deadlineMs: timeoutMs, noteLeftovers: true });
  const { code, signal, stdout, stderr, milliseconds, timedOut, leftovers = [] } = outcome;
  const { command } = options;
  return { command, code, signal, stdout, stderr, milliseconds: Math.round(milliseconds), timedOut, leftovers };
}
