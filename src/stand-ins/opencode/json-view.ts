import type { Message, StopReason } from '../../scenario/reply.js';
import type { Failure } from '../../scenario/schema.js';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import { newId } from './ids.js';

const REASONS: Record<StopReason, string> = {
  tool_use: 'tool-calls',
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  refusal: 'content-filter',
};

/** `--format json`: one event per line. */
export class JsonView implements TurnView {
  readonly #session: string;
  readonly #thinking: boolean;
  readonly #write: (line: string) => void;
  #message = '';

  constructor(session: string, thinking: boolean, write: (line: string) => void) {
    this.#session = session;
    this.#thinking = thinking;
    this.#write = write;
  }

  onStepStart(): void {
    this.#message = newId('msg');
    this.#part('step_start', { type: 'step-start' });
  }

  onText(text: string): void {
    this.#part('text', { type: 'text', text, time: span() });
  }

  onThinking(text: string): void {
    if (this.#thinking) this.#part('reasoning', { type: 'reasoning', text, time: span() });
  }

  onToolCall(call: ToolCall): void {
    this.#part('tool_use', {
      type: 'tool',
      tool: call.name,
      callID: newId('prt').replace('prt_', 'call_'),
      state: toolState(call),
    });
  }

  onStepEnd({ stopReason, usage }: Message): void {
    const input = usage?.input_tokens ?? 0;
    const output = usage?.output_tokens ?? 0;
    const cache = { write: usage?.cache_creation_input_tokens ?? 0, read: usage?.cache_read_input_tokens ?? 0 };
    const tokens = { total: input + output + cache.write + cache.read, input, output, reasoning: 0, cache };
    this.#part('step_finish', { reason: REASONS[stopReason], type: 'step-finish', tokens, cost: 0 });
  }

  onPartialText(partial: string, failure: Failure): void {
    if (failure.type !== 'partial_response') return;
    this.onStepStart();
    this.onText(partial);
  }

  /** The stream ended without saying why. */
  onCutOff(): void {
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { write: 0, read: 0 } };
    if (this.#message === '') this.onStepStart();
    this.#part('step_finish', { reason: 'unknown', type: 'step-finish', tokens, cost: 0 });
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

function span(): { start: number; end: number } {
  return { start: Date.now(), end: Date.now() };
}

function toolState({ name, input, result, started, ended }: ToolCall): Record<string, unknown> {
  const time = { start: started, end: ended };
  // A command that fails is still a completed tool; its exit code is in the metadata.
  if (result.isError && name !== 'bash') return { status: 'error', input, error: result.text, time };
  const metadata = { ...result.shell, truncated: false };
  return { status: 'completed', input, output: result.text, metadata, title: titleOf(name, input), time };
}

/** The title of a tool call. */
export function titleOf(name: string, input: Record<string, unknown>): string {
  const subject = name === 'bash' ? input['command'] : (input['filePath'] ?? input['pattern']);
  return typeof subject === 'string' ? subject : JSON.stringify(input);
}
