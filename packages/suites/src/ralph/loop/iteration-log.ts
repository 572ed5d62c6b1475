import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LoopEvent } from './events.js';
import type { AgentRun } from './run-agent.js';
import type { TerminationReason } from './termination.js';

/** What a loop does, as data. The harness reads this, never the console. */
export type LoopFact =
  | {
      type: 'start';
      objective: string;
      hats: string[];
      backend: string;
      promise: string;
      maxIterations: number;
      events: string;
    }
  | {
      type: 'iteration_start';
      iteration: number;
      hat: string;
      backend: string;
      command: string[];
      prompt: string;
      pending: LoopEvent[];
    }
  | ({
      type: 'iteration_end';
      iteration: number;
      hat: string;
      /** What the agent wrote, and what was published of it. */
      written: LoopEvent[];
      published: LoopEvent[];
      complete: boolean;
    } & AgentRun)
  | { type: 'end'; reason: TerminationReason; exitCode: number; iterations: number; milliseconds: number };

/** A line of the iterations file. */
export type LoopRecord = LoopFact & { ts: string };

/** The iterations file of a run, beside its events file: one JSON object per line. */
export class IterationLog {
  readonly #file: string;

  /** Starts the file that belongs to an events file, and makes it the current one of the workspace. */
  constructor(eventsFile: string) {
    const folder = dirname(eventsFile);
    const name = basename(eventsFile).replace(/^events/, 'iterations');
    this.#file = join(folder, name);
    writeFileSync(this.#file, '');
    writeFileSync(join(folder, 'current-iterations'), `.ralph/${name}\n`);
  }

  write({ type, ...rest }: LoopFact): void {
    appendFileSync(this.#file, `${JSON.stringify({ type, ts: new Date().toISOString(), ...rest })}\n`);
  }
}
