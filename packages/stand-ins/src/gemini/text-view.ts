import { stripVTControlCharacters } from 'node:util';
import type { Failure } from '@understudy/script';
import { ATTEMPTS, type InvalidStream, isRepeated } from './failures.js';
import type { GeminiView, Streams } from './view.js';

/** `-o text`: what the model says, and nothing else. */
export class TextView implements GeminiView {
  readonly #streams: Streams;
  #last = '';

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  onBegin(): void {}

  onStepStart(): void {}

  onText(said: string): void {
    const text = stripVTControlCharacters(said);
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
