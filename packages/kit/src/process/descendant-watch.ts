import { isGone, livingProcessesOf, type Origin, startOf } from './process-table.js';

const LOOK_EVERY_MS = 500;

/**
 * Remembers what a child starts while its parents still live. For systems where a process has no mark that others can
 * read (macOS): there a process that leaves its group is found only if it lived for a moment beside its parent.
 */
export class DescendantWatch {
  readonly #child: Origin;
  readonly #seen = new Map<number, number | undefined>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(child: Origin, needed: boolean = process.platform !== 'linux') {
    this.#child = child;
    if (needed) this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  look(): void {
    try {
      for (const pid of livingProcessesOf(this.#child)) if (!this.#seen.has(pid)) this.#seen.set(pid, startOf(pid));
    } catch {
      // The next look may see it.
    }
  }

  /** Those that were seen and still live. */
  survivors(): number[] {
    return [...this.#seen].flatMap(([pid, start]) => (isGone(pid, start) ? [] : [pid]));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
