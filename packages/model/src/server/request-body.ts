import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { JsonTooDeep } from '@understudy/kit';
import { parseLazily } from './wire/lazy-object.js';
import type { ErrorKind } from './wire/protocol.js';

/** A request that is refused, and what to send to the client. */
export class RefusedRequest extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Reads a whole body, or stops as soon as it is too large. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.removeAllListeners('data');
        request.resume();
        reject(new RefusedRequest('too_large', `the body is larger than ${limit} bytes`));
      }
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    request.on('error', reject);
    request.on('aborted', () => reject(new RefusedRequest('bad_request', 'the request was aborted')));
  });
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Undoes the encoding that a client announced. */
export function decoded(body: Buffer, encoding: string | undefined, limit: number): Buffer {
  const decode = DECODERS.get(encoding ?? '');
  if (encoding === undefined || encoding === 'identity') return body;
  if (decode === undefined)
    throw new RefusedRequest('unsupported_media_type', `content-encoding ${encoding} is not supported`);
  try {
    return decode(body, { maxOutputLength: limit });
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new RefusedRequest(large ? 'too_large' : 'bad_request', `the ${encoding} body cannot be decoded`);
  }
}

/** Parses JSON. The error of the parser says where it failed. */
export function parsed(body: Buffer): unknown {
  try {
    return parseLazily(body);
  } catch (error) {
    const problem = error instanceof JsonTooDeep ? 'cannot be read' : 'is not valid JSON';
    throw new RefusedRequest('bad_request', `the body ${problem}: ${(error as Error).message}`);
  }
}
