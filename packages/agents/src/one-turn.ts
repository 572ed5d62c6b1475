import { keepRunningFor, UnderstudyError } from '@understudy/kit';
import type { EventBody, TurnEnded } from './events.js';

/** Keeps the rule that a session has one turn at a time, and reports the end of each exactly once. */
export class OneTurn {
  readonly #who: string;
  readonly #emit: (event: EventBody) => void;
  #started = 0;
  #state: 'none' | 'open' | 'closing' = 'none';
  #resolve: ((ended: TurnEnded) => void) | undefined;
  #shut: string | undefined;

  constructor(who: string, emit: (event: EventBody) => void) {
    this.#who = who;
    this.#emit = emit;
  }

  /** Whether a turn is under way and its end has not been seen. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  begin(): Promise<TurnEnded> {
    if (this.#shut !== undefined) {
      throw new UnderstudyError('AGENT_ENDED', `nothing can be sent: ${this.#shut}`, {
        fix: 'Start a new conversation; `resume` continues this one.',
      });
    }
    if (this.#state !== 'none') {
      throw new UnderstudyError('AGENT_BUSY', `${this.#who} is still in a turn`, {
        fix: 'Await the turn before the next one, or interrupt it.',
      });
    }
    this.#state = 'open';
    this.#started = performance.now();
    const ended = new Promise<TurnEnded>((resolve) => {
      this.#resolve = resolve;
    });
    return keepRunningFor(ended);
  }

  /** Its end has been seen: no second one counts. Gives the milliseconds it took. */
  close(): number {
    this.#state = 'closing';
    return performance.now() - this.#started;
  }

  finish(ended: TurnEnded): void {
    if (this.#state === 'none') return;
    this.#state = 'none';
    this.#emit(ended);
    this.#resolve?.(ended);
  }

  /** Ends an open turn that cannot end by itself. */
  fail(outcome: 'timed_out' | 'died', message: string): void {
    if (this.#state !== 'open') return;
    const milliseconds = this.close();
    this.finish({ type: 'turn_ended', outcome, reason: outcome, message, milliseconds });
  }

  /** From now on no turn can begin. */
  shut(why: string): void {
    this.#shut ??= why;
  }
}
