import { type Failure, HTML_PAGE } from '@understudy/script';
import { clientGoneSignal, deliverBeginning, type Exchange, sendError } from './delivery.js';
import { pause } from './pacing.js';
import type { Answer } from './wire/protocol.js';

/** Closes the port for a time, so that the operating system refuses connections. */
export type RefuseConnections = (milliseconds: number) => void;

const REFUSED_MS = 1000;
/** A reset throws away what the client has not read yet, so it gets some time, on a busy machine too. */
const UNREAD_MS = 250;

/** Makes a request fail as the scenario says. Returns the HTTP status that was sent, or 0 for none. */
export async function deliverFailure(
  exchange: Exchange,
  failure: Failure,
  empty: Answer,
  refuse: RefuseConnections,
): Promise<number> {
  const { response, protocol, stream } = exchange;
  switch (failure.type) {
    case 'auth_error':
      return sendError(exchange, 'auth', failure.message);
    case 'forbidden':
      return sendError(exchange, 'forbidden', failure.message);
    case 'model_not_found':
      return sendError(exchange, 'model_not_found', failure.message);
    case 'rate_limit': {
      const headers: Record<string, string> =
        failure.retry_after === undefined ? {} : { 'retry-after': String(failure.retry_after) };
      return sendError(exchange, 'rate_limit', failure.message, headers);
    }
    case 'out_of_credits':
      return sendError(exchange, 'out_of_credits', failure.message);
    case 'context_length':
      return sendError(exchange, 'context_length', failure.message);
    case 'server_error':
      return sendError(exchange, 'server_error', failure.message);
    case 'overloaded':
      return sendError(exchange, 'overloaded', failure.message);
    case 'network_unreachable':
      return cutOff(exchange, 0);
    case 'connection_refused':
      cutOff(exchange, 0);
      refuse(failure.for_ms ?? REFUSED_MS);
      return 0;
    case 'connection_timeout':
      await pause(failure.after_ms, clientGoneSignal(response));
      return cutOff(exchange, 0);
    case 'connection_reset':
      if (failure.partial_text !== undefined) {
        begin(exchange, empty, failure.partial_text);
        await pause(UNREAD_MS, clientGoneSignal(response));
      }
      return cutOff(exchange, response.headersSent ? 200 : 0);
    case 'stall':
      begin(exchange, empty, failure.partial_text);
      await pause(failure.after_ms, clientGoneSignal(response));
      return cutOff(exchange, response.headersSent ? 200 : 0);
    case 'partial_response':
      if (stream) {
        // The text is whole, so that the client keeps it; what is missing is the end of the message.
        deliverBeginning(exchange, empty, failure.partial_text, 'block end');
        response.end();
      } else
        sendText(
          exchange,
          'application/json',
          halfOf(exchange, { ...empty, blocks: [{ type: 'text', text: failure.partial_text }] }),
        );
      return 200;
    case 'malformed_json':
      if (stream) {
        deliverBeginning(exchange, empty, undefined, 'in block');
        response.end(protocol.rawFrame(failure.raw.replaceAll('\n', '\ndata: ')));
      } else sendText(exchange, 'application/json', failure.raw);
      return 200;
    case 'html_response':
      sendText(exchange, 'text/html; charset=utf-8', failure.body ?? HTML_PAGE);
      return 200;
  }
}

/** Sends the beginning of a stream before the connection breaks. Does nothing for an answer without a stream. */
function begin(exchange: Exchange, empty: Answer, partialText: string | undefined): void {
  if (exchange.stream) deliverBeginning(exchange, empty, partialText, 'in block');
}

function cutOff({ response }: Exchange, status: number): number {
  const { socket } = response;
  if (socket !== null && !socket.destroyed) socket.resetAndDestroy();
  return status;
}

function halfOf({ protocol }: Exchange, answer: Answer): string {
  const whole = JSON.stringify(protocol.complete(answer));
  return whole.slice(0, Math.floor(whole.length / 2));
}

function sendText({ response }: Exchange, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
