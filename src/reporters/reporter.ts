import type { Entry } from '../rehearsal/entry.js';
import type { RehearsalResult, RunResult } from '../rehearsal/result.js';

/** Who is told what happens in a run. */
export interface Reporter {
  start(entries: readonly Entry[]): void;
  begin(entry: Entry): void;
  step(entry: Entry, number: number, total: number, send: string): void;
  end(entry: Entry, result: RehearsalResult): void;
  finish(run: RunResult): void;
}

/** Tells nobody: for those who read the result itself. */
export const silentReporter: Reporter = { start() {}, begin() {}, step() {}, end() {}, finish() {} };
