import type { Failure } from '@understudy/script';
import type { ToolCall } from '../shared/play-turn.js';
import { ShownToAll } from '../shared/shown-to-all.js';
import { type ApiFailure, type InvalidStream, retryLine } from './failures.js';
import { type GeminiView, type RunHead, type Streams, shownResult } from './view.js';

/** Shows a run in the format that was asked for, writes it into the session's record, and reports problems on stderr. */
export class ShownTwice extends ShownToAll<GeminiView> implements GeminiView {
  readonly #streams: Streams;

  constructor(streams: Streams, ...views: GeminiView[]) {
    super(views);
    this.#streams = streams;
  }

  onBegin(head: RunHead): void {
    for (const view of this.views) view.onBegin(head);
  }

  override onToolCall(call: ToolCall): void {
    const { name, result } = call;
    if (result.isError && result.shell === undefined)
      this.#streams.error(`Error executing tool ${name}: ${shownResult(call)}\n`);
    super.onToolCall(call);
  }

  override onRetry(failure: Failure): void {
    const line = retryLine(failure);
    if (line !== undefined) this.#streams.error(`${line}\n`);
    super.onRetry(failure);
  }

  onDone(): void {
    for (const view of this.views) view.onDone();
  }

  onInvalidStream(problem: InvalidStream): void {
    for (const view of this.views) view.onInvalidStream(problem);
  }

  onError(failure: ApiFailure): void {
    this.#streams.error(`Error when talking to Gemini API ${failure.name}: ${failure.message}\n`);
    for (const view of this.views) view.onError(failure);
  }
}
