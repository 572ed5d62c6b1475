import { isatty, type ReadStream } from 'node:tty';
import { refreshParts } from '@understudy/kit';
import { Watch, type Watched } from './watch.js';
import { nextChoice, type WatchChoice } from './watch-keys.js';

/** What is run next, and why. */
export interface WatchRound {
  /** The names of what is run. */
  names: readonly string[];
  /** Only what failed last time. */
  onlyFailed: boolean;
  /** What the person at the keyboard asked for, until they ask for something else. */
  filter?: string | undefined;
  /** The files that changed. */
  changed: readonly string[];
}

export interface WatchedRun {
  /** What to watch now, by the name of what can be run again. */
  watched(): Watched;
  run(round: WatchRound): Promise<unknown>;
  /** Called before each wait. */
  onWait(): void;
  /** A terminal at which somebody sits. */
  keyboard?: ReadStream | undefined;
  signal: AbortSignal;
}

/** The terminal of a person who can press keys. */
export function keyboard(): ReadStream | undefined {
  return isatty(0) && isatty(1) ? (process.stdin as ReadStream) : undefined;
}

/** Runs everything, and then what a changed file touches or a key asks for, until it is interrupted. */
export async function watchAndRun(options: WatchedRun): Promise<void> {
  const { watched, run, onWait, signal } = options;
  let round: WatchRound | undefined = { names: [...watched().parts.keys()], onlyFailed: false, changed: [] };
  while (round !== undefined && !signal.aborted) {
    await refreshParts();
    const watch = new Watch(watched());
    try {
      await run(round);
      if (!signal.aborted) onWait();
      round = await nextRound(watch, round, options);
    } finally {
      watch.close();
    }
  }
}

async function nextRound(watch: Watch, last: WatchRound, { watched, keyboard: input, signal }: WatchedRun) {
  const waiting = new AbortController();
  const either = AbortSignal.any([signal, waiting.signal]);
  const changed = watch.touched(either);
  const pressed = input === undefined ? new Promise<undefined>(() => {}) : nextChoice(input, either);
  const first = await Promise.race([changed, pressed]);
  waiting.abort();
  // The keyboard is given back before anything runs.
  if (input !== undefined) await pressed;
  if (first === undefined || signal.aborted) return undefined;
  if ('run' in first) return byChoice(first, watched);
  return { ...last, ...first, onlyFailed: false };
}

function byChoice(choice: WatchChoice, watched: () => Watched): WatchRound | undefined {
  if (choice.run === 'nothing') return undefined;
  const filter = choice.run === 'filtered' && choice.filter !== '' ? choice.filter : undefined;
  return { names: [...watched().parts.keys()], onlyFailed: choice.run === 'failed', filter, changed: [] };
}
