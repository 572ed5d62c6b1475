import { isObject } from '@understudy/kit';

/** What the user sent: a text, or blocks. Only text blocks count. */
export interface UserMessage {
  content: unknown;
  /** The host's own name for it. */
  uuid?: string;
  /** Those that waited before it, and are said with it. */
  before?: readonly UserMessage[];
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

/** Whether it is a command, which is sent alone. */
export function isCommand({ content }: UserMessage): boolean {
  return textOf(content).startsWith('/');
}

/** Takes what is sent next: a command, or all messages up to the next command, as one. */
export function takeNext(waiting: UserMessage[]): UserMessage | undefined {
  const command = waiting.findIndex(isCommand);
  const taken = waiting.splice(0, command === -1 ? waiting.length : Math.max(1, command));
  const last = taken.pop();
  if (last === undefined || taken.length === 0) return last;
  return { ...last, content: joined([...taken, last]), before: taken };
}

function joined(messages: readonly UserMessage[]): unknown {
  if (messages.every(({ content }) => typeof content === 'string'))
    return messages.map(({ content }) => content).join('\n');
  return messages.flatMap(({ content }) => (typeof content === 'string' ? { type: 'text', text: content } : content));
}
