import type { Message } from '../../scenario/reply.js';
import type { Failure } from '../../scenario/schema.js';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { type ApiFailure, type InvalidStream, retryLine } from './failures.js';
import { type GeminiView, type RunHead, type Streams, shownResult } from './view.js';

/** Shows a run in the format that was asked for, writes it into the session's record, and tells trouble on stderr. */
export class ShownTwice implements GeminiView {
  readonly #views: readonly GeminiView[];
  readonly #streams: Streams;

  constructor(streams: Streams, ...views: GeminiView[]) {
    this.#streams = streams;
    this.#views = views;
  }

  onBegin(head: RunHead): void {
    for (const view of this.#views) view.onBegin(head);
  }

  onStepStart(): void {
    for (const view of this.#views) view.onStepStart();
  }

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
    const { name, result } = call;
    if (result.isError && result.shell === undefined)
      this.#streams.error(`Error executing tool ${name}: ${shownResult(call)}\n`);
    for (const view of this.#views) view.onToolCall(call);
  }

  onStepEnd(message: Message, usage: StepUsage): void {
    for (const view of this.#views) view.onStepEnd(message, usage);
  }

  onRetry(failure: Failure): void {
    const line = retryLine(failure);
    if (line !== undefined) this.#streams.error(`${line}\n`);
    for (const view of this.#views) view.onRetry(failure);
  }

  onPartialText(partial: string, failure: Failure): void {
    for (const view of this.#views) view.onPartialText(partial, failure);
  }

  onDone(): void {
    for (const view of this.#views) view.onDone();
  }

  onInvalidStream(problem: InvalidStream): void {
    for (const view of this.#views) view.onInvalidStream(problem);
  }

  onError(failure: ApiFailure): void {
    this.#streams.error(`Error when talking to Gemini API ${failure.name}: ${failure.message}\n`);
    for (const view of this.#views) view.onError(failure);
  }
}
