import type { Message } from '../../scenario/reply.js';
import type { Failure } from '../../scenario/schema.js';
import type { ToolCall, TurnView } from '../shared/play-turn.js';
import type { StepUsage } from '../shared/step-usage.js';
import { newId } from './ids.js';
import { finishPart, NO_TOKENS, textPart, toolPart } from './parts.js';

/** A message of a session, as `opencode export` shows it. */
export interface SavedMessage {
  info: Record<string, unknown>;
  parts: Record<string, unknown>[];
}

/** Who talks with whom, and where. */
export interface Speakers {
  session: string;
  agent: string;
  /** `provider/model` */
  model: string;
  cwd: string;
  /** From which paths are told. */
  root: string;
}

/** Writes down the messages of a turn. */
export class Transcript implements TurnView {
  readonly messages: SavedMessage[] = [];
  readonly #speakers: Speakers;
  readonly #parent: string;

  constructor(prompt: string, speakers: Speakers) {
    this.#speakers = speakers;
    this.#parent = newId('msg');
    const { agent } = speakers;
    const [providerID, modelID] = modelNames(speakers.model);
    const info = { role: 'user', time: { created: Date.now() }, agent, model: { providerID, modelID } };
    this.messages.push({ info: { ...info, id: this.#parent, sessionID: speakers.session }, parts: [] });
    this.#part({ type: 'text', text: prompt });
  }

  onStepStart(): void {
    this.#answer();
    this.#part({ type: 'step-start' });
  }

  onText(text: string): void {
    this.#part(textPart('text', text));
  }

  onThinking(text: string): void {
    this.#part(textPart('reasoning', text));
  }

  onToolCall(call: ToolCall): void {
    this.#part(toolPart(call, this.#speakers.root));
  }

  onStepEnd(message: Message, usage: StepUsage): void {
    const part = finishPart(message, usage);
    this.#part(part);
    this.#complete({ tokens: part.tokens, finish: part.reason });
  }

  onPartialText(partial: string, failure: Failure): void {
    if (failure.type !== 'partial_response') return;
    this.onStepStart();
    this.onText(partial);
  }

  onCutOff(): void {
    if (this.messages.length === 1) this.onStepStart();
    this.#part({ reason: 'unknown', type: 'step-finish', tokens: NO_TOKENS, cost: 0 });
    this.#complete({ finish: 'unknown' });
  }

  onError(name: string, data: Record<string, unknown>): void {
    this.#answer();
    this.#complete({ error: { name, data } });
  }

  #answer(): void {
    const { session, agent, model, cwd } = this.#speakers;
    const [providerID, modelID] = modelNames(model);
    const info = {
      ...{ parentID: this.#parent, role: 'assistant', mode: agent, agent, path: { cwd }, cost: 0, tokens: NO_TOKENS },
      ...{ modelID, providerID, time: { created: Date.now() }, id: newId('msg'), sessionID: session },
    };
    this.messages.push({ info, parts: [] });
  }

  #complete(more: Record<string, unknown>): void {
    const info = this.messages.at(-1)?.info;
    if (info === undefined) return;
    const time = { ...(info['time'] as object), completed: Date.now() };
    Object.assign(info, { time, ...more });
  }

  #part(part: Record<string, unknown>): void {
    const last = this.messages.at(-1);
    last?.parts.push({ ...part, id: newId('prt'), sessionID: this.#speakers.session, messageID: last.info['id'] });
  }
}

/** The two halves of `provider/model`. */
export function modelNames(model: string): [provider: string, model: string] {
  const at = model.indexOf('/');
  return [model.slice(0, Math.max(at, 0)), model.slice(at + 1)];
}
