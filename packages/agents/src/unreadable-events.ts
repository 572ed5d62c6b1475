import type { Unreadable } from '@understudy/kit';
import type { EventBody } from './events.js';

interface Source {
  readonly unreadable: readonly Unreadable[];
}

/** Reports what was found in the place of a record and not read, each once. */
export class UnreadableEvents {
  readonly #sources: readonly (Source | undefined)[];
  readonly #told = new Set<string>();

  constructor(...sources: readonly (Source | undefined)[]) {
    this.#sources = sources;
  }

  /** What is new since the last look. */
  look(): EventBody[] {
    const fresh = this.#sources
      .flatMap((source) => source?.unreadable ?? [])
      .filter(({ path }) => !this.#told.has(path));
    for (const { path } of fresh) this.#told.add(path);
    return fresh.map((one) => ({ type: 'unreadable', ...one }));
  }
}
