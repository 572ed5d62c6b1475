import { isObject, type JsonObject } from '../../../document/json.js';

interface Answer {
  id: string;
  /** The ids of its lines in the transcript. */
  lines: string[];
  /** The CLI reports a failure of the API. */
  isError: boolean;
}

/** The messages of a conversation that are not the user's, as far as a compaction needs them. */
export class Answers {
  #all: Answer[] = [];

  /** A line of the transcript that belongs to a message of the model, or reports a failure. */
  add(messageId: string, line: string, isError = false): void {
    const last = this.#all.at(-1);
    if (last?.id === messageId) last.lines.push(line);
    else this.#all.push({ id: messageId, lines: [line], isError });
  }

  get count(): number {
    return this.#all.length;
  }

  /** The model has said something. */
  get hasAny(): boolean {
    return this.#all.some(({ isError }) => !isError);
  }

  /** Whether the last one is of the model. */
  get endsWithModel(): boolean {
    return this.#all.at(-1)?.isError === false;
  }

  /** The lines that a compaction keeps: those of the last message, where there is another one before it. */
  get kept(): readonly string[] {
    return this.#all.length > 1 ? (this.#all.at(-1)?.lines ?? []) : [];
  }

  compact(): void {
    this.#all = this.#all.length > 1 ? this.#all.slice(-1) : [];
  }

  clear(): void {
    this.#all = [];
  }

  /** Reads a line of an earlier process. */
  restore({ type, subtype, uuid, message, isApiErrorMessage }: JsonObject): void {
    if (type === 'system' && subtype === 'compact_boundary') this.compact();
    if (type === 'assistant' && isObject(message) && typeof uuid === 'string')
      this.add(String(message['id']), uuid, isApiErrorMessage === true);
  }
}
