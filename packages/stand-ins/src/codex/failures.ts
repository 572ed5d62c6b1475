import { type ErrorKind, openaiError } from '@understudy/model';
import type { Failure } from '@understudy/script';

const DISCONNECTED = 'stream disconnected before completion: ';

/** Where the scripted model of the real Codex would be, and the number of the request. */
const REQUEST = 'url: http://127.0.0.1/v1/responses, request id: req_understudy_1';

/** What Codex says of a request that failed. */
export function failureMessage(failure: Failure): string {
  const message = 'message' in failure ? failure.message : undefined;
  switch (failure.type) {
    case 'auth_error':
      return unexpectedStatus('auth', 'Unauthorized', message);
    case 'forbidden':
      return unexpectedStatus('forbidden', 'Forbidden', message);
    case 'model_not_found':
      return apiMessage('model_not_found', message);
    case 'rate_limit':
      return 'exceeded retry limit, last status: 429 Too Many Requests, request id: req_understudy_1';
    case 'out_of_credits':
      return 'Quota exceeded. Check your plan and billing details.';
    case 'context_length':
      return "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.";
    case 'server_error':
      return 'We’re currently experiencing high demand, which may cause temporary errors.';
    case 'overloaded':
      return unexpectedStatus('overloaded', 'Service Unavailable', message);
    case 'connection_reset':
      return failure.partial_text === undefined ? `${DISCONNECTED}error sending request` : BROKEN_STREAM;
    case 'network_unreachable':
    case 'connection_refused':
    case 'connection_timeout':
      return `${DISCONNECTED}error sending request`;
    case 'stall':
      return BROKEN_STREAM;
    case 'partial_response':
    case 'malformed_json':
    case 'html_response':
      return `${DISCONNECTED}stream closed before response.completed`;
  }
}

const BROKEN_STREAM = `${DISCONNECTED}Transport error: network error: error decoding response body`;

/** What Codex says when the script has no answer: the scripted model server refuses the request. */
export function unansweredMessage(problem: string): string {
  return unexpectedStatus('unanswered', "I'm a teapot", `understudy: ${problem}`);
}

function unexpectedStatus(kind: ErrorKind, reason: string, message: string | undefined): string {
  const { status } = openaiError(kind, message);
  return `unexpected status ${status} ${reason}: ${apiMessage(kind, message)}, ${REQUEST}`;
}

function apiMessage(kind: ErrorKind, message: string | undefined): string {
  return (openaiError(kind, message).body as { error: { message: string } }).error.message;
}
