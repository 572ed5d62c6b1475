import { stripVTControlCharacters } from 'node:util';
import { defined } from '@understudy/kit';
import type { Failure, Message } from '@understudy/script';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { type ApiFailure, ATTEMPTS, type InvalidStream, isRepeated } from './failures.js';
import { RunStats } from './stats.js';
import type { GeminiView, RunHead, Streams } from './view.js';

/** `-o json`: one document at the end. */
export class JsonView implements GeminiView {
  readonly #streams: Streams;
  #stats = new RunStats('');
  #session = '';
  /** What was said after the last tool. */
  #response = '';

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  onBegin({ session, model }: RunHead): void {
    this.#session = session;
    this.#stats = new RunStats(model);
  }

  onStepStart(): void {
    this.#response = '';
  }

  onText(text: string): void {
    this.#response += text;
  }

  onThinking(): void {}

  onToolCall(call: ToolCall): void {
    this.#stats.addTool(call);
  }

  onStepEnd(_message: Message, usage: StepUsage): void {
    this.#stats.addStep(usage);
  }

  onRetry(): void {
    this.#stats.addFailure();
  }

  onPartialText(partial: string, failure: Failure): void {
    this.#response = partial.repeat(isRepeated(failure) ? ATTEMPTS : 1);
  }

  onDone(): void {
    this.#write();
  }

  onInvalidStream(problem: InvalidStream): void {
    this.#stats.addInvalid(problem);
    this.#write({ type: 'INVALID_STREAM', message: problem.invalidStream });
  }

  onError({ message, status = 1 }: ApiFailure): void {
    const error = { type: 'Error', message, code: status };
    this.#streams.error(`${JSON.stringify({ session_id: this.#session, error }, null, 2)}\n`);
  }

  #write(error?: Record<string, unknown>): void {
    const document = {
      session_id: this.#session,
      response: stripVTControlCharacters(this.#response),
      stats: this.#stats.full(),
    };
    this.#streams.out(`${JSON.stringify({ ...document, ...defined({ error }) }, null, 2)}\n`);
  }
}
