import { jsonComplaint } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import { API_MESSAGES, type Failure, type FailureWithMessage, HTML_PAGE } from '@understudy/script';

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
  /** What hooks receive in addition. */
  details?: string;
  terminalReason: string;
  stderr?: string;
  /** The stream had begun before it failed. What it wrote counts once, or twice where a part of the answer was there. */
  begun?: 'once' | 'twice';
  /** Before it gives up, the CLI tries to compact the conversation. */
  compactsFirst?: boolean;
  /** The CLI asks once more without a stream, and does not report it. */
  asksWithoutStream?: true;
}

/** What a report depends on besides the failure. */
export interface FailureContext {
  model: string;
  env: NodeJS.ProcessEnv;
  /** An estimate of the tokens in the conversation. */
  contextTokens: number;
  /** This is not the first prompt of the conversation, so it could be compacted. */
  hasHistory: boolean;
  requestId: () => string;
}

const DROPPED =
  'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.';
const DEFAULT_TIMEOUT_MS = 600_000;

/** Reports a failure that the scenario asks for, as the real CLI would after the last attempt. */
export function reportFailure(failure: Failure, context: FailureContext): FailureReport {
  switch (failure.type) {
    case 'auth_error':
      return reportOf(failure, 401, 'authentication_error', 'authentication_failed', authText, 'authentication_failed');
    case 'forbidden':
      return reportOf(failure, 403, 'permission_error', 'authentication_failed', refusedText(403));
    case 'model_not_found':
      return {
        ...reportOf(failure, 404, 'not_found_error', 'model_not_found', () => modelText(context.model)),
        asksWithoutStream: true,
      };
    case 'rate_limit': {
      const text = (message: string): string => `API Error: Request rejected (429) · ${message}`;
      return reportOf(failure, 429, 'rate_limit_error', 'rate_limit', text, 'rate_limit');
    }
    case 'out_of_credits': {
      if (!/credit balance is too low/i.test(messageOf(failure))) return badRequest(failure);
      return reportOf(failure, 400, 'invalid_request_error', 'billing_error', () => 'Credit balance is too low');
    }
    case 'context_length':
      return tooLong(failure, context);
    case 'server_error':
      return reportOf(failure, 500, 'api_error', 'server_error', serverText(500, context.env), 'server_error');
    case 'overloaded':
      return reportOf(failure, 529, 'overloaded_error', 'server_error', serverText(529, context.env), 'overloaded');
    case 'network_unreachable':
      return unreachable(DROPPED);
    case 'connection_refused':
      // The first request is answered with a reset; the port is closed from then on.
      return unreachable(
        maxRetries(context.env) === 0
          ? DROPPED
          : 'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
      );
    case 'connection_timeout': {
      const patience = Number(context.env['API_TIMEOUT_MS'] ?? DEFAULT_TIMEOUT_MS);
      return unreachable(
        failure.after_ms < patience ? DROPPED : 'API Error: Request timed out. Check your internet connection.',
      );
    }
    case 'stall':
      return { ...unreachable(DROPPED), begun: 'once', asksWithoutStream: true };
    case 'connection_reset':
      return failure.partial_text === undefined
        ? unreachable(DROPPED)
        : { ...unreachable(DROPPED), begun: 'twice', asksWithoutStream: true };
    case 'partial_response':
      return cutOff();
    case 'malformed_json':
      return malformed(failure.raw);
    case 'html_response':
      return page(failure.body ?? HTML_PAGE, context);
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

/** The text before the answer was cut off, where the CLI shows it: it drops a block that was not finished. */
export function partialText(failure: Failure): string | undefined {
  return failure.type === 'partial_response' ? failure.partial_text : undefined;
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

const DEFAULT_RETRIES = 10;

export function maxRetries(env: NodeJS.ProcessEnv): number {
  const wanted = Number(env['CLAUDE_CODE_MAX_RETRIES']);
  return env['CLAUDE_CODE_MAX_RETRIES'] === undefined || !Number.isInteger(wanted) || wanted < 0
    ? DEFAULT_RETRIES
    : wanted;
}

type ApiError = Extract<Failure, { type: FailureWithMessage }>;

function messageOf(failure: ApiError): string {
  return failure.message ?? API_MESSAGES[failure.type];
}

function reportOf(
  failure: ApiError,
  status: number,
  type: string,
  error: string,
  text: (message: string) => string,
  retryError?: string,
): FailureReport {
  return {
    text: text(messageOf(failure)),
    error,
    ...defined({ retryError }),
    status,
    fields: { api_error_status: status, api_error_type: type },
    terminalReason: 'api_error',
  };
}

/** A 400 whose message means nothing to the CLI. */
function badRequest(failure: ApiError): FailureReport {
  return reportOf(failure, 400, 'invalid_request_error', 'unknown', (message) => `API Error: 400 ${message}`);
}

function tooLong(failure: ApiError, { contextTokens, hasHistory }: FailureContext): FailureReport {
  const message = messageOf(failure);
  if (!/prompt is too long/i.test(message)) return badRequest(failure);
  const [, asked, limit] = /(\d+) tokens > (\d+)/.exec(message) ?? [];
  const numbers =
    asked === undefined || hasHistory
      ? ''
      : ` · the request is ~${asked} tokens (limit ${limit}) but this conversation is only ~${contextTokens} tokens — the rest is ` +
        'system prompt, tool definitions, and attachment content. A single-exchange conversation cannot be compacted; ' +
        'reduce attached files/tools or start with less context.';
  const report = reportOf(
    failure,
    400,
    'invalid_request_error',
    'invalid_request',
    () => `Prompt is too long${numbers}`,
  );
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
  return {
    ...report,
    details: `400 ${body}`,
    terminalReason: 'prompt_too_long',
    ...(hasHistory ? { compactsFirst: true } : {}),
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

function malformed(raw: string): FailureReport {
  const chunk = `[ "event: content_block_delta", ${JSON.stringify(`data: ${raw}`)} ]`;
  return {
    ...unreadable(`API Error: ${jsonComplaint(raw)}`),
    stderr: `Could not parse message into JSON: ${raw}\nFrom chunk: ${chunk}\n`,
    begun: 'once',
  };
}

function page(body: string, { requestId }: FailureContext): FailureReport {
  return unreadable(
    'API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the ' +
      `request. Response: content-type html, body is an HTML page, ${Buffer.byteLength(body)} bytes, request-id ${requestId()}. ` +
      `This was the non-streaming retry of streaming request ${requestId()}, which failed with: no_events, StreamNoEventsError; ` +
      '0 stream events received.',
  );
}

function unreadable(text: string): FailureReport {
  return {
    text,
    error: 'unknown',
    status: null,
    fields: {},
    terminalReason: 'api_error',
    asksWithoutStream: true,
  };
}

function authText(message: string): string {
  return message === API_MESSAGES.auth_error ? 'Invalid API key · Fix external API key' : refusedText(401)(message);
}

function refusedText(status: number): (message: string) => string {
  return (message) => `Failed to authenticate. API Error: ${status} ${message}`;
}

function modelText(model: string): string {
  return `There's an issue with the selected model (${model}). It may not exist or you may not have access to it. Run --model to pick a different model.`;
}

/** The CLI names the gateway that it was pointed at. */
function serverText(status: number, { ANTHROPIC_BASE_URL: url }: NodeJS.ProcessEnv): (message: string) => string {
  const gateway =
    url === undefined
      ? ''
      : ` If it persists, check your inference gateway (${url.replace(/^\w+:\/\//, '').replace(/\/.*$/, '')}).`;
  return (message) =>
    `API Error: ${status} ${message}. This is a server-side issue, usually temporary — try again in a moment.${gateway}`;
}
