import type { Failure } from '@understudy/script';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import { inlineInfo } from './inline-info.js';
import { hasFailed } from './parts.js';

const RESET = '\u001b[0m';
const DIM = '\u001b[90m';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

/** The default format: the agent's text on stdout, everything else on stderr. */
export class TextView implements TurnView {
  readonly #streams: Streams;
  readonly #thinking: boolean;

  readonly #cwd: string;
  #isBlank = true;

  constructor(streams: Streams, about: { model: string; thinking: boolean; cwd: string }) {
    this.#streams = streams;
    this.#thinking = about.thinking;
    this.#cwd = about.cwd;
    streams.error(`${RESET}\n> build · ${about.model}\n${RESET}\n`);
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text.trim() !== '') this.#streams.out(`${text.trim()}\n`);
  }

  onThinking(text: string): void {
    if (this.#thinking) this.#streams.out(`Thinking: ${text.trim()}\n`);
  }

  onToolCall({ name, input, result }: ToolCall): void {
    const { mark, title, note, body } = inlineInfo(name, input, result, this.#cwd);
    if (hasFailed(result)) {
      this.#line('✗', `${title} failed`, note);
      this.#error(errorLine(result.text));
    } else if (body === undefined) this.#line(mark, title, note);
    else {
      this.#blank();
      this.#line(mark, title, note);
      if (body.trim() === '') return;
      this.#error(`${body}\n`);
      this.#blank();
    }
  }

  onStepEnd(): void {}

  /** The text of an answer that just ends is shown. The text before an error is not. */
  onPartialText(partial: string, failure: Failure): void {
    if (failure.type === 'partial_response') this.onText(partial);
  }

  onCutOff(): void {}

  onError(_name: string, data: Record<string, unknown>): void {
    this.#error(errorLine(String(data['message'])));
  }

  #line(mark: string, title: string, note = ''): void {
    this.#error(`${RESET}${mark} ${RESET}${title}${note === '' ? '' : `${DIM} ${note}${RESET}`}\n`);
  }

  /** There is never more than one empty line. */
  #blank(): void {
    if (!this.#isBlank) this.#streams.error(`${RESET}\n`);
    this.#isBlank = true;
  }

  #error(text: string): void {
    this.#isBlank = false;
    this.#streams.error(text);
  }
}

/** An error as OpenCode prints it. */
export function errorLine(message: string): string {
  return `\u001b[91m\u001b[1mError: ${RESET}${message}\n`;
}
