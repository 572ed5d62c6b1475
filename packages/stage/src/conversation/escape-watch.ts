import type { EventBodyOf } from '@understudy/agents';
import type { Isolation } from '../isolation/provider.js';
import type { Attempt } from '../isolation/watch.js';

/** Some CLIs report a call only with its result: then this little time lies between the two. */
const REPORTED_TOGETHER_MS = 20;

/** Finds out which tool call tried to leave the sandbox. */
export class EscapeWatch {
  readonly #isolation: Isolation;
  readonly #inputs = new Map<string, string>();
  /** What was seen before a call, and when. */
  #before: readonly Attempt[] = [];
  #calledAt = 0;

  constructor(isolation: Isolation) {
    this.#isolation = isolation;
  }

  toolCalled({ id, input }: EventBodyOf<'tool_call'>): void {
    this.#inputs.set(id, JSON.stringify(input));
    this.#before = [...this.#before, ...this.#isolation.look()];
    this.#calledAt = performance.now();
  }

  /** What was tried since the last look: by the tool that has this result, or by nobody knows whom. */
  look(result?: EventBodyOf<'tool_result'>): EventBodyOf<'escape'>[] {
    const before = this.#before;
    this.#before = [];
    if (result === undefined)
      return [...before, ...this.#isolation.look()].map((attempt) => ({ type: 'escape', ...attempt }));
    const { id: callId, tool, status } = result;
    const ran = status === 'ok' || status === 'error';
    const seen = this.#isolation.look(ran ? this.#inputs.get(callId) : '');
    this.#inputs.delete(callId);
    const together = performance.now() - this.#calledAt < REPORTED_TOGETHER_MS;
    return [
      ...before.map(
        (attempt): EventBodyOf<'escape'> => ({ type: 'escape', ...attempt, ...(together ? { callId, tool } : {}) }),
      ),
      ...seen.map((attempt): EventBodyOf<'escape'> => ({ type: 'escape', ...attempt, callId, tool })),
    ];
  }
}
