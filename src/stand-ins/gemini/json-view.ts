import { stripVTControlCharacters } from 'node:util';
import { defined } from '../../document/defined.js';
import type { Message } from '../../scenario/reply.js';
import type { Failure } from '../../scenario/schema.js';
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
  readonly #warnings: string[] = [];

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  onBegin({ session, model }: RunHead): void {
    this.#session = session;
    this.#stats = new RunStats(model);
  }

  onBrokenCommand({ session }: Pick<RunHead, 'session'>, message: string): void {
    this.#session = session;
    this.onError({ name: 'Error', message, exitCode: 1 });
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

  onStopped(message: string, isTold: boolean): void {
    if (isTold) this.#warnings.push(message);
    this.#write();
  }

  onBlocked(message: string): void {
    this.#warnings.push(message);
  }

  onGoOn(): void {}

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
    this.#streams.out(
      `${JSON.stringify({ ...document, ...defined({ error, warnings: this.#warnings.length > 0 ? this.#warnings : undefined }) }, null, 2)}\n`,
    );
  }
}
