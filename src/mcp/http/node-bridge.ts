import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body that is larger than this is not read to its end. */
export const BODY_LIMIT = 4 * 1024 * 1024;

export class BodyTooLarge extends Error {}

/** The request in the web’s form. Its signal fires when the client has gone. */
export async function toWebRequest(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): Promise<Request> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const { method = 'GET' } = request;
  const body = method === 'GET' || method === 'HEAD' ? null : new Uint8Array(await readBody(request));
  return new Request(new URL(request.url ?? '/', origin), { method, headers, body, signal: gone.signal });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT) throw new BodyTooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Writes an answer, as a stream where it is one; resolves when it is written or the client has gone. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  const reader = answer.body.getReader();
  response.once('close', () => {
    reader.cancel().catch(() => {});
  });
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await drained(response);
    }
  } catch {
    // The client has gone.
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}
