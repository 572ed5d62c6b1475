import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LoopEvent } from './events.js';
import type { Ending } from './run-agent.js';
import type { TerminationReason } from './termination.js';

/** What a loop did, as facts: a harness reads this, and never the console. */
export type LoopRecord =
  | {
      type: 'start';
      ts: string;
      objective: string;
      hats: string[];
      backend: string;
      promise: string;
      maxIterations: number;
      events: string;
    }
  | {
      type: 'iteration_start';
      ts: string;
      iteration: number;
      hat: string;
      backend: string;
      command: string[];
      prompt: string;
      pending: LoopEvent[];
    }
  | {
      type: 'iteration_end';
      ts: string;
      iteration: number;
      hat: string;
      /** The agent's text. */
      output: string;
      stderr: string;
      /** What the agent wrote, and what came of it. */
      written: LoopEvent[];
      published: LoopEvent[];
      code: number | null;
      signal: string | null;
      ending: Ending;
      failed: boolean;
      complete: boolean;
      milliseconds: number;
    }
  | { type: 'end'; ts: string; reason: TerminationReason; exitCode: number; iterations: number; milliseconds: number };

type Unstamped<T> = T extends unknown ? Omit<T, 'ts'> : never;

/** The iterations file of a run, beside its events file: one JSON object per line. */
export class IterationLog {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Starts the one that goes with an events file, and makes it the workspace's current one. */
  static besides(eventsFile: string): IterationLog {
    const folder = dirname(eventsFile);
    const file = join(folder, basename(eventsFile).replace(/^events/, 'iterations'));
    writeFileSync(file, '');
    writeFileSync(join(folder, 'current-iterations'), `.ralph/${basename(file)}\n`);
    return new IterationLog(file);
  }

  write(record: Unstamped<LoopRecord>): void {
    const { type, ...rest } = record;
    appendFileSync(this.file, `${JSON.stringify({ type, ts: new Date().toISOString(), ...rest })}\n`);
  }
}
