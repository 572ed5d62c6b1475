import { UnderstudyError, waitForAll } from '@understudy/kit';
import type { HeldConversation } from './held-conversation.js';
import type { HarnessLimits } from './limits.js';
import type { Reply } from './reply.js';

/** The conversations of one client: found by id, limited in number, ended when they are idle. */
export class Conversations {
  readonly #limits: HarnessLimits;
  readonly #held = new Map<string, HeldConversation>();
  readonly #watch: NodeJS.Timeout;
  readonly #starting = new Set<Promise<HeldConversation>>();
  #closed: string | undefined;

  constructor(limits: HarnessLimits) {
    this.#limits = limits;
    this.#watch = setInterval(() => this.#endIdle(), Math.min(30_000, Math.max(50, limits.idleMs / 4)));
    this.#watch.unref();
  }

  get all(): readonly HeldConversation[] {
    return [...this.#held.values()];
  }

  get living(): readonly HeldConversation[] {
    return this.all.filter(({ ended }) => ended === undefined);
  }

  /** Starts one where there is room for it. Those that are being started count, too. */
  async add(start: () => Promise<HeldConversation>): Promise<HeldConversation> {
    if (this.living.length + this.#starting.size >= this.#limits.conversations) {
      throw new UnderstudyError(
        'HARNESS_TOO_MANY_CONVERSATIONS',
        `${this.#limits.conversations} conversations run already`,
        { fix: `End one with end_conversation: ${this.living.map(({ id }) => id).join(', ')}.` },
      );
    }
    const starting = start();
    this.#starting.add(starting);
    try {
      const held = await starting;
      this.#held.set(held.id, held);
      this.#forgetOldest();
      // The client may have gone while it started.
      if (this.#closed !== undefined) await held.end(this.#closed);
      return held;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** The conversation of this id, ended or not. */
  find(id: string): HeldConversation {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const known = this.living.map((one) => one.id);
    throw new UnderstudyError('HARNESS_NO_CONVERSATION', `there is no conversation ${JSON.stringify(id)}`, {
      fix:
        known.length === 0
          ? 'Start one with start_conversation and use the session_id that it gives.'
          : `Use one of ${known.join(', ')}, or start a new one.`,
    });
  }

  /** The conversation of this id, or the only one that lives when none is named. */
  findOrOnly(id: string | undefined): HeldConversation {
    if (id !== undefined) return this.find(id);
    const [only, ...others] = this.living;
    if (only !== undefined && others.length === 0) return only;
    throw new UnderstudyError(
      'HARNESS_WHICH_CONVERSATION',
      only === undefined ? 'no conversation is running' : `${others.length + 1} conversations are running`,
      { fix: only === undefined ? 'Start one with start_conversation.' : 'Name one of them as session_id.' },
    );
  }

  /** The reply of this id, and its conversation. */
  findReply(id: string): { held: HeldConversation; reply: Reply } {
    for (const held of this.#held.values()) {
      const reply = held.reply(id);
      if (reply !== undefined) return { held, reply };
    }
    throw new UnderstudyError('HARNESS_NO_RESPONSE', `there is no response ${JSON.stringify(id)}`, {
      fix: 'Use the response_id of send_prompt, or the command_id of execute_command.',
    });
  }

  /** Ends all of them; gives how many there were. */
  async endAll(reason: string): Promise<number> {
    const { living } = this;
    await waitForAll(living.map((held) => held.end(reason)));
    return living.length;
  }

  async close(reason: string): Promise<void> {
    clearInterval(this.#watch);
    this.#closed = reason;
    await Promise.allSettled(this.#starting);
    await this.endAll(reason);
  }

  #endIdle(): void {
    const idle = this.living.filter(({ idleMs }) => idleMs >= this.#limits.idleMs);
    const reason = `it was idle for ${Math.round(this.#limits.idleMs / 1000)} s`;
    // Nobody waits for this end. What went wrong stands in the conversation's `ended`.
    for (const held of idle) held.end(reason).catch(() => {});
  }

  /** Ended ones are kept for reading, but not for ever. */
  #forgetOldest(): void {
    const ended = this.all.filter(({ ended: reason }) => reason !== undefined);
    for (const held of ended.slice(0, Math.max(0, ended.length - this.#limits.kept))) this.#held.delete(held.id);
  }
}
