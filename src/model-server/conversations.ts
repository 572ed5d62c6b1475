import type { Script } from '../scenario/script.js';
import type { Client, Identity } from './clients/client.js';
import { Conversation, type Step } from './conversation.js';
import { hash32 } from './hash.js';
import type { Transcript } from './transcript.js';
import type { WireRequest, WireToolResult } from './wire/protocol.js';

/** What is asked of whom, as far as it tells conversations apart. */
export interface Question {
  client: Client;
  identity: Identity;
  request: WireRequest;
  asked: Transcript;
}

/** Conversations that have not been heard of for longest are forgotten beyond this many. */
const KEPT_CONVERSATIONS = 1000;

/**
 * Keeps conversations apart: by the session that the client names, else by their own transcript.
 * Tool results find their way back by the ids of the calls, which are never the same twice.
 */
export class Conversations {
  readonly #script: Script;
  readonly #known = new Map<string, Conversation>();
  readonly #sessions = new Map<string, Conversation>();
  readonly #openings = new Map<string, number>();
  /** Who stands at which point of a transcript. */
  readonly #standing = new Map<string, Set<Conversation>>();
  readonly #positions = new Map<Conversation, string>();
  /** Subagents that a script has started, by what they are told. */
  readonly #spawned = new Map<string, string>();

  constructor(script: Script) {
    this.#script = script;
  }

  /** Those that are remembered, the one heard of last at the end. */
  all(): Conversation[] {
    return [...this.#known.values()];
  }

  /** The conversation that a request belongs to; a new one where there is none. */
  find(question: Question): Conversation {
    const { identity } = question;
    const name = identity.session === undefined ? undefined : `${identity.session} ${identity.agentId ?? ''}`;
    const found = name === undefined ? this.#byTranscript(question) : this.#sessions.get(name);
    const conversation = found ?? this.#begin(question);
    if (name !== undefined) renew(this.#sessions, name, conversation);
    renew(this.#known, conversation.id, conversation);
    this.#moveTo(conversation, question.asked.key);
    this.#forgetOldest();
    return conversation;
  }

  /** The step that called the tools whose results these are, and the conversation that it was in. */
  caller(conversation: Conversation, results: readonly WireToolResult[]): Step | undefined {
    const own = conversation.stepThatCalled(results);
    if (own !== undefined) return own;
    // A forked session goes on with calls of the one that it came from.
    return this.#ownerOf(results)?.stepThatCalled(results);
  }

  /** A script starts a subagent: its first prompt will tell which one it is. */
  expectSubagent(parent: Conversation, prompt: string, agent: string): void {
    renew(this.#spawned, `${parent.client} ${prompt.trim()}`, agent);
    forgetBeyond(this.#spawned);
  }

  #byTranscript({ request, asked, client }: Question): Conversation | undefined {
    if (request.previousAnswer !== undefined) return this.#known.get(conversationOf(request.previousAnswer));
    const owner = asked.prompt === undefined ? this.#ownerOf(asked.results) : undefined;
    if (owner !== undefined) return owner;
    for (const conversation of this.#standing.get(asked.key) ?? []) {
      // Without a step, a fault struck before the script was asked.
      const { state } = conversation.step(asked.key) ?? { state: 'failed' };
      if (conversation.client === client.name && state === 'failed') return conversation;
    }
    for (const conversation of this.#standing.get(asked.previousKey ?? '') ?? []) {
      if (conversation.client === client.name) return conversation;
    }
    return undefined;
  }

  #ownerOf(results: readonly WireToolResult[]): Conversation | undefined {
    for (const { id } of results) {
      const owner = this.#known.get(conversationOf(id));
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  #begin(question: Question): Conversation {
    const { asked, client } = question;
    const opening = hash32(asked.prompt?.text ?? '')
      .toString(16)
      .padStart(8, '0');
    let count = (this.#openings.get(opening) ?? 0) + 1;
    while (this.#known.has(`${opening}_${count}`)) count++;
    renew(this.#openings, opening, count);
    const [forked] = this.#standing.get(asked.previousKey ?? '') ?? [];
    return new Conversation(
      `${opening}_${count}`,
      client.name,
      this.#agentOf(question),
      this.#script.play(forked?.play.state),
    );
  }

  #agentOf({ asked, client, identity }: Question): string | undefined {
    const spawned = this.#spawned.get(`${client.name} ${asked.prompt?.text ?? ''}`);
    return identity.agentName ?? spawned ?? (identity.agentId === undefined ? undefined : 'subagent');
  }

  #moveTo(conversation: Conversation, key: string): void {
    this.#leave(conversation);
    this.#positions.set(conversation, key);
    const here = this.#standing.get(key) ?? new Set();
    this.#standing.set(key, here.add(conversation));
  }

  #leave(conversation: Conversation): void {
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

/** Puts an entry at the young end of a map. */
function renew<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}

function forgetBeyond(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (map.size > KEPT_CONVERSATIONS && oldest.value !== undefined) map.delete(oldest.value);
}

/** Ids of answers and calls begin with their conversation's. */
export function conversationOf(id: string): string {
  const match = /([0-9a-f]{8}_\d+)_\d+(?:_\d+)?$/.exec(id);
  return match?.[1] ?? '';
}
