import { isObject } from '../../../document/json.js';

/** What the user sent: a text, or blocks. Only text blocks count. */
export interface UserMessage {
  content: unknown;
  uuid?: string;
  /** The transcript says already that it waits. */
  isQueued?: true;
}

/** The text of a message; the texts of blocks are joined by newlines. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}
