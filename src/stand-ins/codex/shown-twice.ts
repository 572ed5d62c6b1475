import type { Message } from '../../scenario/reply.js';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { addTokens } from './rollout.js';
import type { CodexView, RunHead, TokenTotals } from './view.js';

/** Shows a run to the user and writes it into the session's record; counts its tokens. */
export class ShownTwice implements CodexView {
  used: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  readonly #views: CodexView[];

  constructor(user: CodexView, record: CodexView | undefined) {
    this.#views = record === undefined ? [user] : [user, record];
  }

  onBegin(head: RunHead): void {
    for (const view of this.#views) view.onBegin(head);
  }

  onStepStart(): void {}

  onText(text: string): void {
    for (const view of this.#views) view.onText(text);
  }

  onThinking(text: string): void {
    for (const view of this.#views) view.onThinking(text);
  }

  onToolStart(call: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    for (const view of this.#views) view.onToolStart?.(call);
  }

  onToolCall(call: ToolCall): void {
    for (const view of this.#views) view.onToolCall(call);
  }

  /** In OpenAI's counts, what came from the cache is part of the input. */
  onStepEnd(message: Message, { input, cacheRead, ...rest }: StepUsage): void {
    const usage = { ...rest, cacheRead, input: input + cacheRead };
    this.used = addTokens(this.used, usage);
    for (const view of this.#views) view.onStepEnd(message, usage);
  }

  /** Codex shows nothing of an answer that broke off. */
  onPartialText(): void {}

  onDone(tokens: TokenTotals): void {
    for (const view of this.#views) view.onDone(tokens);
  }

  onError(message: string): void {
    for (const view of this.#views) view.onError(message);
  }
}
