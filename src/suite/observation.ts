import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopEvent } from '../loop/events.js';
import type { LoopRecord } from '../loop/iteration-log.js';

/** One call of the orchestrator. */
export interface StepRun {
  command: readonly string[];
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  timedOut: boolean;
  /** Processes of it that were still there when it ended. */
  leftovers: readonly string[];
}

/** One iteration, by the loop's own record; what it did not live to record is absent. */
export interface IterationFacts {
  iteration: number;
  hat: string;
  backend: string;
  command: readonly string[];
  prompt: string;
  output?: string;
  stderr?: string;
  code?: number | null;
  failed?: boolean;
  milliseconds?: number;
  published?: readonly LoopEvent[];
}

/** What was seen of a case: the calls, and what the loop left in its files. Never the console's text. */
export interface Observation {
  runs: readonly StepRun[];
  last: StepRun | undefined;
  timedOut: boolean;
  leftovers: readonly string[];
  events: readonly LoopEvent[];
  iterations: readonly IterationFacts[];
  termination: string | undefined;
  /** A file of the workspace, if it is there. */
  read(file: string): string | undefined;
}

/** Reads what the last run has left in a workspace. */
export function observe(workspace: string, runs: readonly StepRun[]): Observation {
  const records = readPointed<LoopRecord>(workspace, '.ralph/current-iterations');
  const end = records.find((record) => record.type === 'end');
  return {
    runs,
    last: runs.at(-1),
    timedOut: runs.some((run) => run.timedOut),
    leftovers: runs.flatMap((run) => run.leftovers),
    events: readPointed<LoopEvent>(workspace, '.ralph/current-events'),
    iterations: iterationsOf(records),
    termination: end?.reason,
    read: (file) => readIfThere(join(workspace, file)),
  };
}

function iterationsOf(records: readonly LoopRecord[]): IterationFacts[] {
  return records.flatMap((start): IterationFacts[] => {
    if (start.type !== 'iteration_start') return [];
    const { iteration, hat, backend, command, prompt } = start;
    const end = records.find((record) => record.type === 'iteration_end' && record.iteration === iteration);
    if (end?.type !== 'iteration_end') return [{ iteration, hat, backend, command, prompt }];
    const { output, stderr, code, failed, milliseconds, published } = end;
    return [{ iteration, hat, backend, command, prompt, output, stderr, code, failed, milliseconds, published }];
  });
}

/** The JSON lines of the file that a pointer names. A torn last line is left out. */
function readPointed<T>(workspace: string, pointer: string): T[] {
  const name = readIfThere(join(workspace, pointer))?.trim();
  const text = name === undefined ? undefined : readIfThere(join(workspace, name));
  return (text ?? '').split('\n').flatMap((line): T[] => {
    try {
      return [JSON.parse(line) as T];
    } catch {
      return [];
    }
  });
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
