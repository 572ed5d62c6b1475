import { piecesOf } from '../../model-server/wire/pieces.js';
import type { Message } from '../../scenario/reply.js';
import type { Failure } from '../../scenario/schema.js';
import type { ToolCall } from '../shared/play-turn.js';
import { ShownToAll } from '../shared/shown-to-all.js';
import type { StepUsage } from '../shared/step-usage.js';
import { type ApiFailure, type InvalidStream, retryLine } from './failures.js';
import { type GeminiView, type RunHead, type Streams, shownResult } from './view.js';

/** Shows a run in the format that was asked for, writes it into the session's record, and tells trouble on stderr. */
export class ShownTwice extends ShownToAll<GeminiView> implements GeminiView {
  /** What hooks are told of each answer: the whole text, then its later pieces again, then an empty one for each call. */
  readonly said: string[] = [];
  readonly #streams: Streams;
  #step: string[] = [];

  constructor(streams: Streams, ...views: GeminiView[]) {
    super(views);
    this.#streams = streams;
  }

  onBegin(head: RunHead): void {
    for (const view of this.views) view.onBegin(head);
  }

  onBrokenCommand(head: Omit<RunHead, 'prompt' | 'parts'>, problem: string): void {
    for (const view of this.views) view.onBrokenCommand(head, problem);
  }

  override onStepStart(): void {
    this.#step = [];
    super.onStepStart();
  }

  override onText(text: string, pieces: readonly string[] = piecesOf(text)): void {
    this.#step.push(text, ...pieces.slice(1));
    super.onText(text, pieces);
  }

  override onToolStart(call: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    this.#step.push('');
    super.onToolStart(call);
  }

  override onStepEnd(message: Message, usage: StepUsage): void {
    if (this.#step.length > 0) this.said.push([...this.#step, ''].join(' '));
    super.onStepEnd(message, usage);
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

  onStopped(message: string, isTold: boolean): void {
    for (const view of this.views) view.onStopped(message, isTold);
  }

  onBlocked(message: string): void {
    for (const view of this.views) view.onBlocked(message);
  }

  onGoOn(reason: string): void {
    for (const view of this.views) view.onGoOn(reason);
  }

  onInvalidStream(problem: InvalidStream): void {
    for (const view of this.views) view.onInvalidStream(problem);
  }

  onError(failure: ApiFailure): void {
    this.#streams.error(`Error when talking to Gemini API ${failure.name}: ${failure.message}\n`);
    for (const view of this.views) view.onError(failure);
  }
}
