import { modelCard } from '@understudy/agents';
import { isObject, type JsonObject } from '@understudy/kit';
import type { Message } from '@understudy/script';
import { usageOf } from '../../shared/step-usage.js';
import { noTokens, type Tokens } from '../output/usage.js';

/** The tokens of a message that answers to a text of this length. */
export function messageTokens(message: Message, inputLength: number): Tokens {
  const inputs = message.blocks.flatMap((block) => (block.type === 'tool_use' ? [block.input] : []));
  return usageOf(message, inputLength, inputs);
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
  /** Models that only earlier processes of the session have used. */
  readonly #earlier = new Set<string>();

  add(model: string, tokens: Tokens): void {
    const sum = this.#models.get(model) ?? noTokens();
    this.#models.set(model, sum);
    this.#earlier.delete(model);
    addTokens(sum, tokens);
  }

  /** Begins again. */
  clear(): void {
    this.#models.clear();
    this.#earlier.clear();
  }

  get cost(): number {
    let cost = 0;
    for (const [model, tokens] of this.#models) cost += costOf(model, tokens);
    return cost;
  }

  /** `modelUsage` of a result. */
  byModel(): JsonObject {
    return Object.fromEntries(
      [...this.#models].map(([model, tokens]) => [model, modelUsage(model, tokens, this.#earlier.has(model))]),
    );
  }

  /** The usage in the form of a `cost-state` line of a transcript. */
  toTranscript(): JsonObject {
    return Object.fromEntries([...this.#models].map(([model, tokens]) => [model, modelCounts(model, tokens)]));
  }

  /** Adds the usage of a `cost-state` line of a transcript. */
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
      this.#earlier.add(model);
    }
  }
}

function modelUsage(model: string, tokens: Tokens, earlier: boolean): JsonObject {
  const { contextWindow, maxOutputTokens } = modelCard(model);
  const origin = earlier ? {} : { canonicalModel: model, provider: 'firstParty', costBasis: 'list' };
  const about = { contextWindow, maxOutputTokens, ...origin };
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
