import type { Failure } from './schema.js';

/** Failures that Anthropic's API reports with a status and a message. */
export type FailureWithMessage = Extract<Failure, { message?: string | undefined }>['type'];

/**
 * What Anthropic's API says where the scenario gives no message: the model server sends it, and the claude stand-in
 * shows what the real CLI makes of it.
 */
export const API_MESSAGES: Readonly<Record<FailureWithMessage, string>> = {
  auth_error: 'invalid x-api-key',
  forbidden: 'Your API key does not have permission to use the specified resource.',
  model_not_found: 'model: this model does not exist',
  rate_limit: 'Number of requests has exceeded your rate limit. Please try again later.',
  out_of_credits: 'Your credit balance is too low to access the Anthropic API.',
  context_length: 'prompt is too long: 210000 tokens > 200000 maximum',
  server_error: 'Internal server error',
  overloaded: 'Overloaded',
};

/** The page of an `html_response` without a body. */
export const HTML_PAGE =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** What an answer that fails has cost when its stream had begun. */
export const BEGUN_TOKENS = { input: 1, output: 1 } as const;
