import type { CallTag } from '../server/client-keys.js';
import type { ModelConversation } from '../server/conversation.js';

/** Numbers the calls of a program that asks the model itself: each request is one, a session is one. */
export class ProgramCalls {
  readonly #counts = new Map<number, number>();

  /** `isRetry`: the request before it failed, and this is the same call. */
  of(
    conversation: ModelConversation,
    tag: CallTag | undefined,
    session: string | undefined,
    isRetry = false,
  ): number | undefined {
    if (tag === undefined || tag.call !== undefined) return tag?.call;
    if (conversation.call !== undefined && (session !== undefined || isRetry)) return conversation.call;
    const next = (this.#counts.get(tag.step) ?? 0) + 1;
    this.#counts.set(tag.step, next);
    conversation.call = next;
    return next;
  }
}
