import type { JsonObject } from '@understudy/kit';

/** Tokens of one message, or a sum of them. */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

export const noTokens = (): Tokens => ({ input: 0, output: 0, cacheRead: 0, cacheCreation: 0 });

/** `usage` as a message carries it while it is being written. */
export function startingUsage(tokens: Tokens): JsonObject {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheCreation,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: 1,
    service_tier: 'standard',
  };
}

/** `usage` at the end of a stream. */
export function endingUsage(tokens: Tokens): JsonObject {
  const { service_tier: _, ...counts } = startingUsage(tokens);
  return { ...counts, output_tokens: tokens.output };
}

/** `usage` of a finished message, and of a result. */
export function fullUsage(tokens: Tokens): JsonObject {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheCreation,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: tokens.cacheCreation },
    inference_geo: '',
    iterations: [],
    speed: 'standard',
    fallback_credit: null,
  };
}

/** `usage` of a message that no model wrote. */
export function emptyUsage(): JsonObject {
  return {
    output_tokens_details: null,
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: null,
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    inference_geo: null,
    iterations: null,
    speed: null,
    fallback_credit: null,
  };
}
