import { isObject, type JsonObject } from '../../../document/json.js';

/** The model's messages in a conversation, as far as a compaction needs them. */
export class Answers {
  #count = 0;
  #last: { id: string; lines: string[] } | undefined;

  /** A line of the transcript that belongs to a message of the model. */
  add(messageId: string, line: string): void {
    if (this.#last?.id === messageId) this.#last.lines.push(line);
    else {
      this.#count++;
      this.#last = { id: messageId, lines: [line] };
    }
  }

  /** The lines that a compaction keeps: those of the last message, where there is another one before it. */
  get kept(): readonly string[] {
    return this.#count > 1 ? (this.#last?.lines ?? []) : [];
  }

  compact(): void {
    this.#count = this.kept.length > 0 ? 1 : 0;
  }

  clear(): void {
    this.#count = 0;
    this.#last = undefined;
  }

  /** Reads a line of an earlier process. */
  restore({ type, subtype, uuid, message }: JsonObject): void {
    if (type === 'system' && subtype === 'compact_boundary') this.compact();
    if (type === 'assistant' && isObject(message) && typeof uuid === 'string') this.add(String(message['id']), uuid);
  }
}
