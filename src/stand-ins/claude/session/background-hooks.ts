/** Hooks that go on while the session does other things. They end with it. */
export class BackgroundHooks {
  readonly #running = new Map<Promise<void>, AbortController>();

  add(run: Promise<void>, stop: AbortController): void {
    this.#running.set(run, stop);
    run.finally(() => this.#running.delete(run)).catch(() => {});
  }

  /** Ends those that still run; each tells that it was cancelled. */
  async end(): Promise<void> {
    for (const stop of this.#running.values()) stop.abort();
    await Promise.all(this.#running.keys());
  }
}
