import type { ErrorKind, WireError } from './protocol.js';

const ERRORS: Record<ErrorKind, [status: number, type: string, code: string | null, message: string]> = {
  bad_request: [400, 'invalid_request_error', null, 'The request is not valid.'],
  not_found: [404, 'invalid_request_error', 'unknown_url', 'Unknown request URL.'],
  method_not_allowed: [405, 'invalid_request_error', 'method_not_supported', 'Not allowed to use this method here.'],
  too_large: [413, 'invalid_request_error', 'request_too_large', 'The request body is too large.'],
  unsupported_media_type: [415, 'invalid_request_error', null, 'Unsupported content type or encoding.'],
  unanswered: [418, 'invalid_request_error', 'unanswered', 'Nothing answers this request.'],
  internal: [500, 'server_error', null, 'The server had an error while processing your request.'],
  auth: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  forbidden: [403, 'invalid_request_error', 'forbidden', 'You do not have access to this resource.'],
  model_not_found: [
    404,
    'invalid_request_error',
    'model_not_found',
    'The model does not exist or you do not have access to it.',
  ],
  rate_limit: [429, 'requests', 'rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
  out_of_credits: [
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  context_length: [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    'Your input exceeds the context window of this model.',
  ],
  server_error: [500, 'server_error', null, 'The server had an error while processing your request.'],
  overloaded: [503, 'server_error', 'overloaded', 'The engine is currently overloaded, please try again later.'],
};

/** An error as both of OpenAI's protocols send it. */
export function openaiError(kind: ErrorKind, message: string | undefined): WireError {
  const [status, type, code, usual] = ERRORS[kind];
  return { status, body: { error: { message: message ?? usual, type, param: null, code } } };
}
