import { isObject } from '../../../document/json.js';

/** What the user sent: a text, or blocks of which the texts count. */
export interface UserMessage {
  content: unknown;
  uuid?: string;
}

/** The text of a message; of blocks, the texts, one below the other. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}
