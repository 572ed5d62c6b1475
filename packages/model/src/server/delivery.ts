import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@understudy/kit';
import type { Pace } from '@understudy/script';
import { paced, pause } from './pacing.js';
import type { Answer, ErrorKind, WireProtocol } from './wire/protocol.js';

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

/** A request that waits for its answer, with the protocol of its client. */
export interface Exchange {
  response: ServerResponse;
  protocol: WireProtocol;
  stream: boolean;
}

export interface Timing {
  delayMs?: number | undefined;
  pace?: Pace | undefined;
}

/** Sends a scripted answer, whole or as a stream, with its delay and pace. */
export async function deliver(exchange: Exchange, answer: Answer, { delayMs = 0, pace }: Timing): Promise<void> {
  const { response, protocol, stream } = exchange;
  if (delayMs > 0) await pause(delayMs, clientGoneSignal(response));
  if (!stream) {
    if (pace?.first_token_ms !== undefined) await pause(pace.first_token_ms, clientGoneSignal(response));
    return sendJson(response, 200, protocol.complete(answer));
  }
  const frames = protocol.frames(answer);
  response.writeHead(200, STREAM_HEADERS);
  if (pace === undefined) {
    let text = '';
    for (const frame of frames) text += frame.text;
    response.end(text);
    return;
  }
  response.flushHeaders();
  const gone = clientGoneSignal(response);
  await paced(frames, pace, gone, (text) => response.write(text));
  if (!gone.aborted) response.end();
}

/** Begins a stream with some text and leaves it open: in the middle of a block, or behind it. */
export function deliverBeginning(
  exchange: Exchange,
  answer: Answer,
  partialText: string | undefined,
  until: 'in block' | 'block end',
): void {
  const { response, protocol } = exchange;
  const blocks = partialText === undefined ? [] : [{ type: 'text', text: partialText } as const];
  const frames = protocol.frames({ ...answer, blocks });
  const lastSaid = frames.findLastIndex((frame) => frame.tokens > 0);
  const closed = until === 'block end' && frames[lastSaid + 1]?.closes === true ? 1 : 0;
  response.writeHead(200, STREAM_HEADERS);
  response.flushHeaders();
  for (const frame of frames.slice(0, Math.max(lastSaid + 1 + closed, 1))) response.write(frame.text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendError(
  { response, protocol }: Pick<Exchange, 'response' | 'protocol'>,
  kind: ErrorKind,
  message: string | undefined,
  headers: Record<string, string> = {},
): number {
  const { status, body } = protocol.error(kind, message);
  sendJson(response, status, body, headers);
  return status;
}

/** Aborts when the client closes the connection, so that nothing waits for it. */
export function clientGoneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => controller.abort());
  return controller.signal;
}
