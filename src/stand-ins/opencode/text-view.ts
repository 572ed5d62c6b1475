import { basename } from 'node:path';
import type { Failure } from '../../scenario/schema.js';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import { titleOf } from './parts.js';

const RESET = '\u001b[0m';

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

/** The default format: the agent's text on stdout, everything else on stderr. */
export class TextView implements TurnView {
  readonly #streams: Streams;
  readonly #thinking: boolean;

  constructor(streams: Streams, agent: string, model: string, thinking: boolean) {
    this.#streams = streams;
    this.#thinking = thinking;
    streams.error(`${RESET}\n> ${agent} · ${model}\n${RESET}\n`);
  }

  onStepStart(): void {}

  onText(text: string): void {
    if (text.trim() !== '') this.#streams.out(`${text.trim()}\n`);
  }

  onThinking(text: string): void {
    if (this.#thinking) this.#streams.error(`Thinking: ${text}\n`);
  }

  onToolCall({ name, input, result }: ToolCall): void {
    const title = titleOf(name, input);
    if (result.isError && name !== 'bash') this.#block('✗', `${title} failed`, result.text);
    else if (name === 'bash') this.#block('$', title, result.text);
    else if (name === 'read') this.#line('→', `Read ${basename(title)}`);
    else if (name === 'write') this.#block('←', `Write ${basename(title)}`, result.text);
    else if (name === 'edit') this.#block('←', `Edit ${basename(title)}`, result.text);
    else if (name === 'glob') this.#line('✱', `Glob "${title}"`);
    else if (name === 'grep') this.#line('✱', `Grep "${title}"`);
    else this.#line('⚙', `${name} ${JSON.stringify(input)}`);
  }

  onStepEnd(): void {}

  /** The text of an answer that just ends is shown. The text before an error is not. */
  onPartialText(partial: string, failure: Failure): void {
    if (failure.type === 'partial_response') this.onText(partial);
  }

  onCutOff(): void {}

  onError(_name: string, data: Record<string, unknown>): void {
    this.#streams.error(errorLine(String(data['message'])));
  }

  #line(mark: string, title: string): void {
    this.#streams.error(`${RESET}${mark} ${RESET}${title}\n`);
  }

  #block(mark: string, title: string, body: string): void {
    this.#line(mark, title);
    if (body.trim() !== '') this.#streams.error(`${body.trim()}\n`);
    this.#streams.error(`${RESET}\n`);
  }
}

/** An error as OpenCode prints it. */
export function errorLine(message: string): string {
  return `\u001b[91m\u001b[1mError: ${RESET}${message}\n`;
}

export function warningLine(message: string): string {
  return `\u001b[93m\u001b[1m! ${RESET} ${message}\n`;
}
