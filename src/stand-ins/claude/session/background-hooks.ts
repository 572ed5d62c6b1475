import type { HookEventName } from '../../../claude-code/hooks/events.js';
import { waitBriefly } from './brief-moment.js';

interface RunningHook {
  event: HookEventName;
  ended: Promise<void>;
  /** Ends it with the session. */
  stop: AbortController;
}

/** Hooks that go on while the session does other things. */
export class BackgroundHooks {
  /** How many there have been. */
  count = 0;
  readonly #running = new Set<RunningHook>();
  /** Those that have not had their moment to end. */
  #fresh: RunningHook[] = [];

  add(hook: RunningHook): void {
    this.#running.add(hook);
    this.#fresh.push(hook);
    hook.ended.finally(() => this.#running.delete(hook)).catch(() => {});
  }

  /** Gives those that have begun since then a moment to end; those of an event, or all. */
  async settle(event?: HookEventName): Promise<void> {
    const fresh = this.#fresh.filter((hook) => event === undefined || hook.event === event);
    if (fresh.length === 0) return;
    this.#fresh = this.#fresh.filter((hook) => !fresh.includes(hook));
    await waitBriefly(fresh.map(({ ended }) => ended));
  }

  /** Ends those that still run; each tells that it was cancelled. */
  async end(): Promise<void> {
    for (const { stop } of this.#running) stop.abort();
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }
}
