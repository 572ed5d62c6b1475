import { Watch, type Watched } from './watch.js';

export interface WatchedRun {
  /** What to watch now, by the name of what can be run again. */
  watched(): Watched;
  /** Runs these. */
  run(names: readonly string[]): Promise<unknown>;
  /** Called before each wait. */
  onWait(): void;
  signal: AbortSignal;
}

/** Runs everything, and then what a changed file touches, until it is interrupted. */
export async function watchAndRun({ watched, run, onWait, signal }: WatchedRun): Promise<void> {
  let due = [...watched().parts.keys()];
  while (due.length > 0 && !signal.aborted) {
    const watch = new Watch(watched());
    try {
      await run(due);
      if (!signal.aborted) onWait();
      due = await watch.touched(signal);
    } finally {
      watch.close();
    }
  }
}
