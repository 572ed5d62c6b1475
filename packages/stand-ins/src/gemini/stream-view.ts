import { stripVTControlCharacters } from 'node:util';
import { defined } from '@understudy/kit';
import { piecesOf } from '@understudy/model';
import type { Failure, Message } from '@understudy/script';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { type ApiFailure, ATTEMPTS, type InvalidStream, isRepeated } from './failures.js';
import { RunStats } from './stats.js';
import { type GeminiView, type RunHead, type Streams, shownResult } from './view.js';

/** `-o stream-json`: one event per line. */
export class StreamView implements GeminiView {
  readonly #streams: Streams;
  #stats = new RunStats('');
  /** Results of the tools of a message come when all of them have begun. */
  #results: ToolCall[] = [];
  #session = '';

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  onBegin({ session, model, prompt }: RunHead): void {
    this.#stats = new RunStats(model);
    this.#session = session;
    this.#event('init', { session_id: session, model });
    this.#event('message', { role: 'user', content: prompt });
  }

  onStepStart(): void {}

  onText(text: string, pieces: readonly string[] = piecesOf(text)): void {
    for (const piece of pieces)
      this.#event('message', { role: 'assistant', content: stripVTControlCharacters(piece), delta: true });
  }

  onThinking(): void {}

  onToolStart({ id, name, input }: Pick<ToolCall, 'id' | 'name' | 'input'>): void {
    this.#event('tool_use', { tool_name: name, tool_id: this.#toolId(id, name), parameters: input });
  }

  onToolCall(call: ToolCall): void {
    this.#stats.addTool(call);
    this.#results.push(call);
  }

  onStepEnd(_message: Message, usage: StepUsage): void {
    this.#stats.addStep(usage);
    for (const call of this.#results.splice(0)) this.#event('tool_result', this.#resultOf(call));
  }

  onRetry(): void {
    this.#stats.addFailure();
  }

  onPartialText(partial: string, failure: Failure): void {
    for (let attempt = 0; attempt < (isRepeated(failure) ? ATTEMPTS : 1); attempt++) this.onText(partial);
  }

  onDone(): void {
    this.#event('result', { status: 'success', stats: this.#stats.flat() });
  }

  onInvalidStream(problem: InvalidStream): void {
    this.#stats.addInvalid(problem);
    this.#event('error', { severity: 'error', message: problem.invalidStream });
    this.#event('result', { status: 'error', stats: this.#stats.flat() });
  }

  onError({ message, advice = '' }: ApiFailure): void {
    const error = { type: 'unknown', message: `[API Error: ${message}]${advice}` };
    this.#event('result', { status: 'error', error, stats: this.#stats.empty() });
  }

  #resultOf(call: ToolCall): Record<string, unknown> {
    const { id, name, result } = call;
    const failed = result.isError && result.shell === undefined;
    return {
      tool_id: this.#toolId(id, name),
      status: failed ? 'error' : 'success',
      ...defined({ output: shownResult(call) }),
      ...(failed ? { error: { type: result.errorType ?? 'unknown', message: result.text } } : {}),
    };
  }

  #toolId(id: number, name: string): string {
    return `${name}__call_${this.#session.slice(0, 8)}_1_${id}`;
  }

  #event(type: string, body: Record<string, unknown>): void {
    this.#streams.out(`${JSON.stringify({ type, timestamp: new Date().toISOString(), ...body })}\n`);
  }
}
