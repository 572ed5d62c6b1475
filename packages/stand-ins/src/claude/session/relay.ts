import { AgentAtWork } from './agent-at-work.js';

/**
 * The agent that works, and those that wait for their turn: agents work at the same time. The next one goes on when the
 * one that works asks the model. In the real CLI chance decides who is first; here it is the same each time.
 */
export class Relay {
  #atWork = new AgentAtWork();
  readonly #waiting: (() => void)[] = [];
  #isFree = false;

  get atWork(): AgentAtWork {
    return this.#atWork;
  }

  /** Lets a subagent work to its end: what happens meanwhile is its own. */
  async letWork<T>(agent: AgentAtWork, work: () => Promise<T>): Promise<T> {
    const before = this.#atWork;
    this.#atWork = agent;
    try {
      return await work();
    } finally {
      this.#atWork = before;
    }
  }

  /** Lets the others go on, and comes back when it is this one's turn again. */
  async pass(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const own = this.#atWork;
    const turn = this.#turn();
    this.#giveUp();
    await turn;
    this.#atWork = own;
  }

  /** Lets several work for whoever is at work, and waits for all of them. */
  async run<T>(works: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
    if (works.length === 0) return [];
    const own = this.#atWork;
    const running = works.map(async (work) => {
      await this.#turn();
      this.#atWork = own;
      try {
        return await work();
      } finally {
        this.#giveUp();
      }
    });
    this.#giveUp();
    const ends = await Promise.allSettled(running);
    await this.#turn();
    this.#atWork = own;
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
