import { UnderstudyError } from '@understudy/kit';

/**
 * Calls the functions of a user's agent. What goes wrong in one is kept, and is the end of each turn from then on: in the
 * middle of a request or of a line, the user could not be informed.
 */
export class OwnCode {
  readonly #place: string;
  #failure: UnderstudyError | undefined;

  constructor(place: string) {
    this.#place = place;
  }

  /** Calls one; `read` gives what is taken of its result, and throws where that is nonsense. */
  call<T>(name: string, work: () => unknown, read: (result: unknown) => T): T {
    try {
      return read(work());
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      this.#failure ??= new UnderstudyError('PART_FAILED', `the agent ${this.#place} failed in ${name}(): ${why}`, {
        fix: 'Correct the agent.',
        location: { file: this.#place },
        cause,
      });
      throw this.#failure;
    }
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Says what was expected of a result. */
export function nonsense(result: unknown, expected: string): Error {
  const given =
    result instanceof Promise
      ? 'a promise'
      : result === undefined
        ? 'nothing'
        : (JSON.stringify(result)?.slice(0, 80) ?? typeof result);
  return new Error(`it gave ${given} instead of ${expected}`);
}
