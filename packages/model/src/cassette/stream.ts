import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '@understudy/kit';
import type { StreamEvent } from './format.js';

/** Reads server-sent events from the bytes of an answer, as they come. */
export class StreamReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #events: StreamEvent[] = [];
  #rest = '';

  /** `at`: milliseconds since the start of the answer. */
  push(chunk: Buffer, at: number): void {
    this.#rest += this.#decoder.write(chunk);
    const blocks = this.#rest.split(/\r\n\r\n|\n\n|\r\r/);
    // A carriage return at the end may be half of a line break.
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#add(block, at);
  }

  /** All events. What has no end is kept, too: the answer may have been cut. */
  end(at: number): StreamEvent[] {
    this.#rest += this.#decoder.end();
    this.#add(this.#rest, at);
    this.#rest = '';
    return this.#events;
  }

  #add(block: string, at: number): void {
    const event: StreamEvent = { at };
    const data: string[] = [];
    const comments: string[] = [];
    for (const line of block.split(/\r\n|\n|\r/)) {
      if (line === '') continue;
      const [, name = '', value = ''] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? [];
      if (name === '') comments.push(value);
      else if (name === 'data') data.push(value);
      else if (name === 'event' || name === 'id' || name === 'retry') event[name] = value;
    }
    if (comments.length > 0) event.comment = comments.join('\n');
    if (data.length > 0) {
      const text = data.join('\n');
      const json = parseJson(text);
      event.data = typeof json === 'object' && json !== null ? json : text;
    }
    if (Object.keys(event).length > 1) this.#events.push(event);
  }
}

/** One event as it goes over the wire. */
export function streamText({ event, data, id, retry, comment }: StreamEvent): string {
  const lines: string[] = [];
  if (comment !== undefined) lines.push(...comment.split('\n').map((line) => `: ${line}`));
  if (event !== undefined) lines.push(`event: ${event}`);
  if (id !== undefined) lines.push(`id: ${id}`);
  if (retry !== undefined) lines.push(`retry: ${retry}`);
  if (data !== undefined) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    lines.push(...text.split('\n').map((line) => `data: ${line}`));
  }
  return `${lines.join('\n')}\n\n`;
}
