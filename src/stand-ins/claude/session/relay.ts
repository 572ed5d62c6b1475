import type { AgentAtWork } from './agent-at-work.js';

/**
 * Agents that work at the same time. One of them works while the others wait, and the next one goes on when it asks the
 * model: in the real CLI chance decides who is first, and here it must be the same each time.
 */
export class Relay {
  readonly #session: { atWork: AgentAtWork };
  readonly #waiting: (() => void)[] = [];
  #isFree = false;

  constructor(session: { atWork: AgentAtWork }) {
    this.#session = session;
  }

  /** Lets the others go on, and comes back when it is this one's turn again. */
  async pass(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const { atWork } = this.#session;
    const turn = this.#turn();
    this.#giveUp();
    await turn;
    this.#session.atWork = atWork;
  }

  /** Lets several work for whoever is at work, and waits for all of them. */
  async run<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    const { atWork } = this.#session;
    const running = works.map(async (work) => {
      await this.#turn();
      this.#session.atWork = atWork;
      try {
        return await work();
      } finally {
        this.#giveUp();
      }
    });
    this.#giveUp();
    const ends = await Promise.allSettled(running);
    await this.#turn();
    this.#session.atWork = atWork;
    return ends;
  }

  async #turn(): Promise<void> {
    if (!this.#isFree) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isFree = false;
  }

  #giveUp(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isFree = true;
    else next();
  }
}
