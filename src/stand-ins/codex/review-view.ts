import type { ToolCall } from '../shared/play-turn.js';
import { INTERRUPTED, reviewOutput } from './review.js';
import type { CodexView, RunHead } from './view.js';

/** Shows a review: what the reviewer does, and its last words as the user reads them. */
export class ReviewView implements CodexView {
  readonly #view: CodexView;
  #lastText: string | undefined;

  constructor(view: CodexView) {
    this.#view = view;
  }

  /** The session and its reviewer are each warned. */
  onBegin(head: RunHead): void {
    this.#view.onBegin({ ...head, warnings: [...head.warnings, ...head.warnings] });
  }

  onStepStart(): void {
    this.#view.onStepStart();
  }

  onText(text: string): void {
    if (text !== '') this.#lastText = text;
  }

  onThinking(text: string): void {
    this.#view.onThinking(text);
  }

  onToolStart(call: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    this.#view.onToolStart?.(call);
  }

  onToolCall(call: ToolCall): void {
    this.#view.onToolCall(call);
  }

  onStepEnd(): void {}

  onPartialText(): void {}

  onDone(): void {
    this.#view.onText(reviewOutput(this.#lastText));
    this.#view.onDone(undefined);
  }

  onError(message: string): void {
    this.#view.onError(message, INTERRUPTED);
  }
}
