import type { Failure, Message } from '@understudy/script';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { newId } from './ids.js';
import { finishPart, NO_TOKENS, textPart, toolPart } from './parts.js';

/** `--format json`: one event per line. */
export class JsonView implements TurnView {
  readonly #session: string;
  readonly #thinking: boolean;
  readonly #place: { cwd: string; root: string };
  readonly #write: (line: string) => void;
  #message = '';

  constructor(about: { session: string; thinking: boolean; cwd: string; root: string }, write: (line: string) => void) {
    this.#session = about.session;
    this.#thinking = about.thinking;
    this.#place = about;
    this.#write = write;
  }

  onStepStart(): void {
    this.#message = newId('msg');
    this.#part('step_start', { type: 'step-start' });
  }

  onText(text: string): void {
    this.#part('text', textPart('text', text));
  }

  onThinking(text: string): void {
    if (this.#thinking) this.#part('reasoning', textPart('reasoning', text));
  }

  onToolCall(call: ToolCall): void {
    this.#part('tool_use', toolPart(call, this.#place));
  }

  onStepEnd(message: Message, usage: StepUsage): void {
    this.#part('step_finish', finishPart(message, usage));
  }

  onPartialText(partial: string, failure: Failure): void {
    if (failure.type !== 'partial_response') return;
    this.onStepStart();
    this.onText(partial);
  }

  /** The stream ended without saying why. */
  onCutOff(): void {
    if (this.#message === '') this.onStepStart();
    this.#part('step_finish', { reason: 'unknown', type: 'step-finish', tokens: NO_TOKENS, cost: 0 });
  }

  onError(name: string, data: Record<string, unknown>): void {
    this.#event('error', { error: { name, data } });
  }

  #part(type: string, part: Record<string, unknown>): void {
    this.#event(type, { part: { id: newId('prt'), messageID: this.#message, sessionID: this.#session, ...part } });
  }

  #event(type: string, body: Record<string, unknown>): void {
    this.#write(JSON.stringify({ type, timestamp: Date.now(), sessionID: this.#session, ...body }));
  }
}
