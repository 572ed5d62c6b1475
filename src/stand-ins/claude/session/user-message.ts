import { isObject, type JsonObject } from '../../../document/json.js';

/** What the user sent: a text, or blocks. Only text blocks count. */
export interface UserMessage {
  content: unknown;
  /** The host's own name for it. */
  uuid?: string;
  /** The transcript says already that it waits. */
  isQueued?: boolean;
  /** When it came. */
  timestamp?: string;
  /** Whether it ends the running turn, or waits for its end. Others are told to the agent as soon as it can hear them. */
  priority?: 'now' | 'later';
  /** It is the host's, and not of the user. */
  isSynthetic?: boolean;
  /** Where it comes from, in the host's words. */
  origin?: JsonObject;
  /** Those that waited before it, and are said with it. */
  before?: readonly UserMessage[];
}

/** The names that a host has given to the messages of a turn: those that began it, and those that came meanwhile. */
export class HeardMessages {
  /** The last of those that began it. */
  readonly own: string | undefined;
  /** Those before it. */
  readonly earlier: readonly string[];
  readonly absorbed: string[] = [];
  /** Where the last of them comes from. */
  readonly origin: JsonObject | undefined;
  #areTold = false;

  constructor({ uuid, origin, before = [] }: Partial<UserMessage> = {}) {
    this.own = uuid;
    this.origin = origin;
    this.earlier = before.flatMap((message) => message.uuid ?? []);
  }

  /** Those that began the turn. */
  get first(): string[] {
    return this.own === undefined ? [...this.earlier] : [...this.earlier, this.own];
  }

  /** The field of what is told before the agent is asked. */
  ofRequest(): JsonObject {
    const ids = this.#ids();
    return ids.length === 0 ? {} : { user_message_uuids: ids };
  }

  /** The fields of the beginning of what the agent says first about them. */
  ofBeginning(): JsonObject {
    const fields = this.#areTold ? {} : this.ofResult();
    return isEmpty(fields) ? {} : { ...fields, owed_rows: [] };
  }

  /** The fields of what the agent says first about them. */
  ofAnswer(): JsonObject {
    if (this.#areTold) return {};
    const fields = this.ofResult();
    this.#areTold = !isEmpty(fields);
    return fields;
  }

  ofResult(): JsonObject {
    const ids = this.#ids();
    return ids.length === 0 ? {} : { user_message_uuid: this.own ?? ids[0], user_message_uuids: ids };
  }

  #ids(): string[] {
    return [...this.first, ...this.absorbed];
  }
}

function isEmpty(fields: JsonObject): boolean {
  return Object.keys(fields).length === 0;
}

/** The text of a message; the texts of blocks are joined by newlines. */
export function textOf(content: unknown): string {
  return textsOf(content).join('\n');
}

export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []));
}

/** Whether it is a command, which nothing is said with. */
export function isCommand({ content }: UserMessage): boolean {
  return textOf(content).startsWith('/');
}

/** Takes what is said next: a command, or all messages of the same urgency up to the next command, as one. */
export function takeNext(waiting: UserMessage[]): UserMessage | undefined {
  const urgent = ['now', undefined, 'later'].find((wanted) => waiting.some(({ priority }) => priority === wanted));
  const ofKind = waiting.filter(({ priority }) => priority === urgent);
  const command = ofKind.findIndex(isCommand);
  const taken = ofKind.slice(0, command === -1 ? undefined : Math.max(1, command));
  for (const message of taken) waiting.splice(waiting.indexOf(message), 1);
  const last = taken.pop();
  if (last === undefined || taken.length === 0) return last;
  return { ...last, content: joined([...taken, last]), before: taken };
}

function joined(messages: readonly UserMessage[]): unknown {
  if (messages.every(({ content }) => typeof content === 'string'))
    return messages.map(({ content }) => content).join('\n');
  return messages.flatMap(({ content }) => (typeof content === 'string' ? { type: 'text', text: content } : content));
}
