import { stripVTControlCharacters } from 'node:util';
import type { Failure } from '../../scenario/schema.js';
import { ATTEMPTS, type InvalidStream, isRepeated } from './failures.js';
import type { GeminiView, Streams } from './view.js';

/** `-o text`: what the model says, and nothing else. */
export class TextView implements GeminiView {
  readonly #streams: Streams;
  readonly #raw: boolean;
  #last = '';

  /** @param raw control characters of the model are printed */
  constructor(streams: Streams, raw: boolean) {
    this.#streams = streams;
    this.#raw = raw;
  }

  onBegin(): void {}

  onBrokenCommand(_head: unknown, problem: string): void {
    this.#streams.error(`An unexpected critical error occurred:Error: ${problem}\n`);
  }

  onStepStart(): void {}

  onText(said: string): void {
    const text = this.#raw ? said : stripVTControlCharacters(said);
    if (text === '') return;
    this.#streams.out(text);
    this.#last = text;
  }

  onThinking(): void {}

  /** A tool ends the line. */
  onToolStart(): void {
    this.#endLine();
  }

  onToolCall(): void {}

  onStepEnd(): void {}

  onRetry(): void {}

  onPartialText(partial: string, failure: Failure): void {
    for (let attempt = 0; attempt < (isRepeated(failure) ? ATTEMPTS : 1); attempt++) this.onText(partial);
  }

  onDone(): void {
    this.#endLine();
  }

  onStopped(message: string): void {
    this.#streams.error(`${message}\n`);
    this.#endLine();
  }

  onBlocked(message: string): void {
    this.#streams.error(`[WARNING] ${message}\n`);
  }

  onGoOn(): void {}

  onInvalidStream({ invalidStream }: InvalidStream): void {
    this.#endLine();
    this.#streams.error(`[ERROR] ${invalidStream}\n`);
  }

  onError(): void {
    this.#streams.error('An unexpected critical error occurred:[object Object]\n');
  }

  #endLine(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#streams.out('\n');
    this.#last = '';
  }
}
