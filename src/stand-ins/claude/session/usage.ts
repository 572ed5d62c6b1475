import { modelCard } from '../../../claude-code/models.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import type { Message } from '../../../scenario/reply.js';

/** Tokens of one message, or a sum of them. */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

export const noTokens = (): Tokens => ({ input: 0, output: 0, cacheRead: 0, cacheCreation: 0 });

/** What a message cost in tokens: as the scenario says, else about four characters to a token. */
export function messageTokens(message: Message, promptLength: number): Tokens {
  const said = message.blocks.reduce((length, block) => {
    return length + (block.type === 'tool_use' ? JSON.stringify(block.input).length : block.text.length);
  }, 0);
  return {
    input: message.usage?.input_tokens ?? Math.max(1, Math.ceil(promptLength / 4)),
    output: message.usage?.output_tokens ?? Math.max(1, Math.ceil(said / 4)),
    cacheRead: message.usage?.cache_read_input_tokens ?? 0,
    cacheCreation: message.usage?.cache_creation_input_tokens ?? 0,
  };
}

export function addTokens(sum: Tokens, more: Tokens): void {
  sum.input += more.input;
  sum.output += more.output;
  sum.cacheRead += more.cacheRead;
  sum.cacheCreation += more.cacheCreation;
}

/** Dollars. Reading a cache costs a tenth of the input price, writing one a quarter more. */
export function costOf(model: string, tokens: Tokens): number {
  const { inputPrice, outputPrice } = modelCard(model);
  const input = tokens.input + tokens.cacheRead * 0.1 + tokens.cacheCreation * 1.25;
  return (input * inputPrice + tokens.output * outputPrice) / 1_000_000;
}

/** What each model used so far. */
export class Tally {
  readonly #models = new Map<string, Tokens>();

  add(model: string, tokens: Tokens): void {
    const sum = this.#models.get(model) ?? noTokens();
    this.#models.set(model, sum);
    addTokens(sum, tokens);
  }

  get cost(): number {
    let cost = 0;
    for (const [model, tokens] of this.#models) cost += costOf(model, tokens);
    return cost;
  }

  /** `modelUsage` of a result. */
  byModel(): JsonObject {
    return Object.fromEntries([...this.#models].map(([model, tokens]) => [model, modelUsage(model, tokens)]));
  }

  /** What a `cost-state` line of a transcript keeps. */
  kept(): JsonObject {
    return Object.fromEntries([...this.#models].map(([model, tokens]) => [model, modelCounts(model, tokens)]));
  }

  /** Takes up what a `cost-state` line of a transcript has kept. */
  restore(kept: unknown): void {
    if (!isObject(kept)) return;
    for (const [model, usage] of Object.entries(kept)) {
      if (!isObject(usage)) continue;
      const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
      this.add(model, {
        input: count('inputTokens'),
        output: count('outputTokens'),
        cacheRead: count('cacheReadInputTokens'),
        cacheCreation: count('cacheCreationInputTokens'),
      });
    }
  }
}

function modelUsage(model: string, tokens: Tokens): JsonObject {
  const { contextWindow, maxOutputTokens } = modelCard(model);
  const about = { contextWindow, maxOutputTokens, canonicalModel: model, provider: 'firstParty', costBasis: 'list' };
  return { ...modelCounts(model, tokens), ...about };
}

function modelCounts(model: string, tokens: Tokens): JsonObject {
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    thinkingTokens: 0,
    cacheReadInputTokens: tokens.cacheRead,
    cacheCreationInputTokens: tokens.cacheCreation,
    cacheCreationEphemeral5mInputTokens: tokens.cacheCreation,
    cacheCreationEphemeral1hInputTokens: 0,
    webSearchRequests: 0,
    costUSD: costOf(model, tokens),
  };
}

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
