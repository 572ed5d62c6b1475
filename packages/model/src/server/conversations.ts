import { type Play, type Script, UNNAMED_AGENT } from '@understudy/script';
import type { CallTag } from './client-keys.js';
import type { Client, Identity } from './clients/client.js';
import { ModelConversation, type Step } from './conversation.js';
import { hash32 } from './hash.js';
import type { Transcript } from './transcript.js';
import type { WireRequest, WireToolResult } from './wire/protocol.js';

/** The parts of a request that identify its conversation. */
export interface Question {
  client: Client;
  identity: Identity;
  request: WireRequest;
  transcript: Transcript;
  /** The call of a program that it comes from. */
  tag?: CallTag | undefined;
}

/** With more conversations than this, the least recently used ones are dropped. */
const KEPT_CONVERSATIONS = 1000;

/**
 * Finds the conversation of a request: by the session that the client names, or by its transcript. Tool results are
 * found by the unique ids of their calls.
 */
export class ModelConversations {
  readonly #script: Script;
  readonly #known = new Map<string, ModelConversation>();
  readonly #sessions = new Map<string, ModelConversation>();
  readonly #openings = new Map<string, number>();
  /** The conversation at each point of a transcript. */
  readonly #standing = new Map<string, Set<ModelConversation>>();
  readonly #positions = new Map<ModelConversation, string>();
  /** Subagents that the script has started, by their first prompt. */
  readonly #spawned = new Map<string, string>();
  /** The state that all calls of a step share, by the step. */
  readonly #shared = new Map<number, Play>();
  readonly #separate = new Set<number>();

  constructor(script: Script) {
    this.#script = script;
  }

  /** All conversations, the most recently used one last. */
  all(): ModelConversation[] {
    return [...this.#known.values()];
  }

  /** Gives each session of a step a state of its own. Without this, all calls of a step share one. */
  keepApart(step: number): void {
    this.#separate.add(step);
  }

  /** The conversation of a request, or a new one. */
  find(question: Question): ModelConversation {
    const { identity } = question;
    const name = identity.session === undefined ? undefined : `${identity.session} ${identity.agentId ?? ''}`;
    const found = name === undefined ? this.#byTranscript(question) : this.#sessions.get(name);
    const conversation = found ?? this.#begin(question);
    if (name !== undefined) renew(this.#sessions, name, conversation);
    renew(this.#known, conversation.id, conversation);
    this.#moveTo(conversation, question.transcript.key);
    this.#forgetOldest();
    return conversation;
  }

  /** The step that called these tools, and its conversation. */
  caller(conversation: ModelConversation, results: readonly WireToolResult[]): Step | undefined {
    const own = conversation.stepThatCalled(results);
    if (own !== undefined) return own;
    // A forked session has tool calls of the session that it was forked from.
    return this.#ownerOf(results)?.stepThatCalled(results);
  }

  /** Notes a subagent that the script starts. Its first prompt identifies it later. */
  expectSubagent(parent: ModelConversation, prompt: string, agent: string): void {
    renew(this.#spawned, `${parent.client} ${prompt.trim()}`, agent);
    forgetBeyond(this.#spawned);
  }

  #byTranscript({ request, transcript, client, tag }: Question): ModelConversation | undefined {
    if (request.previousAnswer !== undefined) return this.#known.get(conversationOf(request.previousAnswer));
    // Calls that run side by side may say the same.
    const isSame = (one: ModelConversation) =>
      one.client === client.name && one.tag?.step === tag?.step && one.tag?.call === tag?.call;
    const owner = this.#ownerOf(transcript.results);
    if (owner !== undefined) return owner;
    for (const conversation of this.#standing.get(transcript.key) ?? []) {
      // There is no step if a fault came before the script was asked.
      const { state } = conversation.step(transcript.key) ?? { state: 'failed' };
      if (isSame(conversation) && state === 'failed') return conversation;
    }
    for (const conversation of this.#standing.get(transcript.previousKey ?? '') ?? []) {
      if (isSame(conversation)) return conversation;
    }
    return undefined;
  }

  #ownerOf(results: readonly WireToolResult[]): ModelConversation | undefined {
    for (const { id } of results) {
      const owner = this.#known.get(conversationOf(id));
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  #begin(question: Question): ModelConversation {
    const { transcript, client } = question;
    const opening = hash32(transcript.prompt?.text ?? '')
      .toString(16)
      .padStart(8, '0');
    let count = (this.#openings.get(opening) ?? 0) + 1;
    while (this.#known.has(`${opening}_${count}`)) count++;
    renew(this.#openings, opening, count);
    const [forked] = this.#standing.get(transcript.previousKey ?? '') ?? [];
    const agent = this.#agentOf(question);
    return new ModelConversation(
      `${opening}_${count}`,
      client.name,
      agent,
      this.#playOf(agent, question.tag) ?? this.#script.play(forked?.play.state),
      question.tag,
    );
  }

  /** The state that the calls of a step share. A subagent has its own. */
  #playOf(agent: string | undefined, tag: CallTag | undefined): Play | undefined {
    if (tag === undefined || agent !== undefined || this.#separate.has(tag.step)) return undefined;
    const play = this.#shared.get(tag.step) ?? this.#script.play();
    this.#shared.set(tag.step, play);
    return play;
  }

  #agentOf({ transcript, client, identity }: Question): string | undefined {
    const spawned = this.#spawned.get(`${client.name} ${transcript.prompt?.text ?? ''}`);
    return identity.agentName ?? spawned ?? (identity.agentId === undefined ? undefined : UNNAMED_AGENT);
  }

  #moveTo(conversation: ModelConversation, key: string): void {
    this.#leave(conversation);
    this.#positions.set(conversation, key);
    const here = this.#standing.get(key) ?? new Set();
    this.#standing.set(key, here.add(conversation));
  }

  #leave(conversation: ModelConversation): void {
    const key = this.#positions.get(conversation);
    this.#positions.delete(conversation);
    const there = key === undefined ? undefined : this.#standing.get(key);
    there?.delete(conversation);
    if (key !== undefined && there?.size === 0) this.#standing.delete(key);
  }

  #forgetOldest(): void {
    for (const [id, conversation] of this.#known) {
      if (this.#known.size <= KEPT_CONVERSATIONS) break;
      this.#known.delete(id);
      this.#leave(conversation);
    }
    forgetBeyond(this.#sessions);
    forgetBeyond(this.#openings);
  }
}

/** Moves an entry to the end of a map, as the most recently used one. */
function renew<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}

function forgetBeyond(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (map.size > KEPT_CONVERSATIONS && oldest.value !== undefined) map.delete(oldest.value);
}

/** The id of the conversation, which every answer and call id begins with. */
export function conversationOf(id: string): string {
  const match = /([0-9a-f]{8}_\d+)_\d+(?:_\d+)?$/.exec(id);
  return match?.[1] ?? '';
}
