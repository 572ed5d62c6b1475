import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@understudy/script';
import type { ToolCall } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { type GeminiView, type RunHead, shownResult } from './view.js';

/** Gemini CLI's record of a session: a JSON line for each message. */
export class ChatRecord implements GeminiView {
  readonly #folder: string;
  readonly #cwd: string;
  #file = '';
  #model = '';
  #calls: ToolCall[] = [];
  #said = '';
  #hasRun = false;

  /** @param folder where the chats of the project are */
  constructor(folder: string, cwd: string) {
    this.#folder = folder;
    this.#cwd = cwd;
  }

  /** A session begins, or goes on; its messages may still be missing. */
  open(session: string): void {
    const short = session.slice(0, 8);
    const known = readdirSync(this.#folder).find((name) => name.endsWith(`-${short}.jsonl`));
    const now = new Date().toISOString();
    this.#file = join(this.#folder, known ?? `session-${now.slice(0, 16).replace(':', '-')}-${short}.jsonl`);
    const projectHash = createHash('sha256').update(this.#cwd).digest('hex');
    this.#write({ sessionId: session, projectHash, startTime: now, lastUpdated: now, kind: 'main' });
  }

  onBegin({ model, prompt }: RunHead): void {
    this.#model = model;
    this.#message({ type: 'user', content: [{ text: prompt }] });
  }

  onStepStart(): void {
    this.#said = '';
    this.#calls = [];
  }

  onText(text: string): void {
    this.#said += text;
  }

  onThinking(): void {}

  onToolCall(call: ToolCall): void {
    this.#calls.push(call);
  }

  onStepEnd(_message: Message, { input, output, cacheRead, cacheCreation }: StepUsage): void {
    const prompt = input + cacheRead + cacheCreation;
    const tokens = { input: prompt, output, cached: cacheRead, thoughts: 0, tool: 0, total: prompt + output };
    // An answer without anything in it is none, unless tools have run before it.
    if (this.#said === '' && this.#calls.length === 0) {
      if (this.#hasRun) this.#message({ type: 'gemini', content: [], tokens });
      return;
    }
    const message = {
      id: randomUUID(),
      type: 'gemini',
      content: this.#said.trim(),
      thoughts: [],
      tokens,
      model: this.#model,
    };
    this.#message(message);
    if (this.#calls.length === 0) return;
    this.#hasRun = true;
    this.#message({ ...message, toolCalls: this.#calls.map(toolCall) });
    this.#message({ type: 'user', content: this.#calls.flatMap(responseParts) });
  }

  onRetry(): void {}

  onPartialText(): void {}

  onDone(): void {}

  onInvalidStream(): void {}

  onError(): void {}

  #message(message: Record<string, unknown>): void {
    this.#write({ id: randomUUID(), ...message });
    this.#write({ $set: { lastUpdated: new Date().toISOString() } });
  }

  #write(line: Record<string, unknown>): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function toolCall(call: ToolCall): Record<string, unknown> {
  return {
    id: callId(call),
    name: call.name,
    args: call.input,
    result: responseParts(call),
    status: isFailed(call) ? 'error' : 'success',
    timestamp: new Date(call.ended).toISOString(),
    resultDisplay: shownResult(call),
  };
}

function responseParts(call: ToolCall): Record<string, unknown>[] {
  const response = { [isFailed(call) ? 'error' : 'output']: call.result.text };
  return [{ functionResponse: { id: callId(call), name: call.name, response } }];
}

function callId({ id, name }: ToolCall): string {
  return `${name}__call_${id}`;
}

function isFailed({ result }: ToolCall): boolean {
  return result.isError && result.shell === undefined;
}
