import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import type { Failure } from '../../../scenario/schema.js';

/** How the real CLI reports one kind of failure. */
export interface FailureReport {
  /** What the agent's last message and the result say. */
  text: string;
  /** `error` of that message. */
  error: string;
  /** `error` of an `api_retry`, where the CLI tries again. */
  retryError?: string;
  status: number | null;
  /** Fields of the message and of the result about the API's answer. */
  fields: JsonObject;
  terminalReason: string;
  stderr?: string;
}

/** Reports a failure that the scenario asks for, as the real CLI would after the last attempt. */
export function reportFailure(failure: Failure, model: string): FailureReport {
  switch (failure.type) {
    case 'auth_error':
      return answered(
        401,
        'authentication_error',
        'authentication_failed',
        authText(failure.message),
        'authentication_failed',
      );
    case 'forbidden':
      return answered(
        403,
        'permission_error',
        'authentication_failed',
        `Failed to authenticate. API Error: 403 ${failure.message ?? 'Forbidden'}`,
      );
    case 'model_not_found':
      return answered(404, 'not_found_error', 'model_not_found', modelText(model));
    case 'rate_limit':
      return answered(
        429,
        'rate_limit_error',
        'rate_limit',
        `API Error: Request rejected (429) · ${failure.message ?? 'Rate limited'}`,
        'rate_limit',
      );
    case 'out_of_credits':
      return answered(400, 'invalid_request_error', 'billing_error', failure.message ?? 'Credit balance is too low');
    case 'context_length':
      return {
        ...answered(400, 'invalid_request_error', 'invalid_request', failure.message ?? 'Prompt is too long'),
        terminalReason: 'prompt_too_long',
      };
    case 'server_error':
      return answered(
        500,
        'api_error',
        'server_error',
        serverText(500, failure.message ?? 'Internal server error'),
        'server_error',
      );
    case 'overloaded':
      return answered(
        529,
        'overloaded_error',
        'server_error',
        serverText(529, failure.message ?? 'Overloaded'),
        'overloaded',
      );
    case 'network_unreachable':
      return unreachable('API Error: Unable to connect (ENETUNREACH). Check your internet connection.');
    case 'connection_refused':
      return unreachable('API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)');
    case 'connection_timeout':
    case 'stall':
      return unreachable('API Error: Request timed out. Check your internet connection.');
    case 'connection_reset':
      return failure.partial_text === undefined ? unreachable('API Error: Connection dropped (ECONNRESET).') : cutOff();
    case 'partial_response':
      return cutOff();
    case 'malformed_json':
      return malformed('event-stream', failure.raw);
    case 'html_response':
      return malformed('html', failure.body ?? '<html></html>');
  }
}

/** A user who has no key and has not logged in. */
export function notLoggedIn(): FailureReport {
  return {
    text: 'Not logged in · Please run /login',
    error: 'authentication_failed',
    status: null,
    fields: {},
    terminalReason: 'api_error',
  };
}

/** The text before the answer was cut off. */
export function partialText(failure: Failure): string | undefined {
  switch (failure.type) {
    case 'partial_response':
      return failure.partial_text;
    case 'connection_reset':
    case 'stall':
      return failure.partial_text;
    default:
      return undefined;
  }
}

/** Milliseconds before the failure is reported. */
export function failureDelay(failure: Failure): number {
  if (failure.type === 'connection_timeout' || failure.type === 'stall') return failure.after_ms;
  return 0;
}

/** The pause before attempt `n` is repeated, as the CLI announces it: half a second, doubled each time. */
export function retryDelay(failure: Failure, attempt: number): number {
  if (failure.type === 'rate_limit' && failure.retry_after !== undefined) return failure.retry_after * 1000;
  return Math.min(500 * 2 ** (attempt - 1), 32_000);
}

function answered(status: number, type: string, error: string, text: string, retryError?: string): FailureReport {
  return {
    text,
    error,
    ...defined({ retryError }),
    status,
    fields: { api_error_status: status, api_error_type: type },
    terminalReason: 'api_error',
  };
}

function unreachable(text: string): FailureReport {
  return { ...cutOff(), text, retryError: 'unknown' };
}

function cutOff(): FailureReport {
  return {
    text: 'API Error: Connection lost mid-response. The response above may be incomplete.',
    error: 'server_error',
    status: null,
    fields: { api_error: 'connection_failed' },
    terminalReason: 'api_error',
  };
}

function malformed(kind: string, body: string): FailureReport {
  const text =
    'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the ' +
    `request. Response: content-type ${kind}, ${Buffer.byteLength(body)} bytes.`;
  const report: FailureReport = { text, error: 'unknown', status: null, fields: {}, terminalReason: 'api_error' };
  return kind === 'html' ? report : { ...report, stderr: `Could not parse message into JSON: ${body}\n` };
}

function authText(message: string | undefined): string {
  return message === undefined ? 'Invalid API key · Fix external API key' : `Invalid API key · ${message}`;
}

function modelText(model: string): string {
  return `There's an issue with the selected model (${model}). It may not exist or you may not have access to it. Run --model to pick a different model.`;
}

function serverText(status: number, message: string): string {
  return `API Error: ${status} ${message}. This is a server-side issue, usually temporary — try again in a moment.`;
}
