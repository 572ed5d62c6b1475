import { crc32 } from 'node:zlib';
import { isObject, parseJson } from '@understudy/kit';
import type { StreamEvent } from './format.js';

/** The frame of Amazon's event stream: total length, length of headers, checksum, headers, payload, checksum. */
const PRELUDE = 12;
const CHECKSUM = 4;
const STRING_HEADER = 7;

/** Reads Amazon's event stream, in which Bedrock sends the events of Anthropic's API. */
export class AwsStreamReader {
  readonly #events: StreamEvent[] = [];
  #rest = Buffer.alloc(0);

  push(chunk: Buffer, at: number): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= PRELUDE) {
      const length = this.#rest.readUInt32BE(0);
      if (length < PRELUDE + CHECKSUM || this.#rest.length < length) return;
      this.#add(this.#rest.subarray(0, length), at);
      this.#rest = this.#rest.subarray(length);
    }
  }

  end(): StreamEvent[] {
    return this.#events;
  }

  #add(frame: Buffer, at: number): void {
    const headersEnd = PRELUDE + frame.readUInt32BE(4);
    const headers = readHeaders(frame.subarray(PRELUDE, headersEnd));
    const payload = frame.subarray(headersEnd, frame.length - CHECKSUM).toString('utf8');
    const json = parseJson(payload);
    const bytes = isObject(json) ? json['bytes'] : undefined;
    const event = headers.get(':exception-type') ?? headers.get(':event-type') ?? 'chunk';
    const inner = typeof bytes === 'string' ? parseJson(Buffer.from(bytes, 'base64').toString('utf8')) : json;
    this.#events.push({
      at,
      event: headers.has(':exception-type') ? `exception ${event}` : event,
      data: inner ?? payload,
    });
  }
}

/** One event as a frame. */
export function awsFrame({ event = 'chunk', data }: StreamEvent): Buffer {
  const exception = /^exception (.+)$/.exec(event)?.[1];
  const text = JSON.stringify(data);
  const payload = Buffer.from(
    exception === undefined ? JSON.stringify({ bytes: Buffer.from(text).toString('base64') }) : text,
  );
  const headers = Buffer.concat([
    exception === undefined ? stringHeader(':event-type', event) : stringHeader(':exception-type', exception),
    stringHeader(':content-type', 'application/json'),
    stringHeader(':message-type', exception === undefined ? 'event' : 'exception'),
  ]);
  const length = PRELUDE + headers.length + payload.length + CHECKSUM;
  const frame = Buffer.alloc(length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  headers.copy(frame, PRELUDE);
  payload.copy(frame, PRELUDE + headers.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, length - CHECKSUM)), length - CHECKSUM);
  return frame;
}

function stringHeader(name: string, value: string): Buffer {
  const header = Buffer.alloc(1 + name.length + 1 + 2 + Buffer.byteLength(value));
  header.writeUInt8(name.length, 0);
  header.write(name, 1);
  header.writeUInt8(STRING_HEADER, 1 + name.length);
  header.writeUInt16BE(Buffer.byteLength(value), 2 + name.length);
  header.write(value, 4 + name.length);
  return header;
}

/** The headers that are texts; Bedrock sends no others. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameLength = bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, at + 1 + nameLength);
    at += 1 + nameLength;
    if (bytes.readUInt8(at) !== STRING_HEADER) return headers;
    const length = bytes.readUInt16BE(at + 1);
    headers.set(name, bytes.toString('utf8', at + 3, at + 3 + length));
    at += 3 + length;
  }
  return headers;
}
