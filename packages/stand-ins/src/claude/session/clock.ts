import { milliseconds } from '../../shared/stopwatch.js';

/** The session's clock. A scenario can set the time at which it starts. */
export class Clock {
  readonly #startedAt = milliseconds();
  readonly #startsWith: number;

  constructor(launch?: string) {
    this.#startsWith = launch === undefined ? this.#startedAt : Date.parse(launch);
  }

  now(): number {
    return this.#startsWith + this.elapsed();
  }

  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  /** Milliseconds since the program began. */
  elapsed(): number {
    return milliseconds() - this.#startedAt;
  }
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
