import type { ConversationEvent } from '../agents/events.js';
import { defined } from '../document/defined.js';

/** What the agents said they used, over all turns and calls. */
export interface TokenTotal {
  input: number;
  output: number;
  cost_usd?: number;
}

/** Undefined when no turn told of tokens: nothing is known then, which is not the same as none. */
export function totalTokens(events: readonly ConversationEvent[]): TokenTotal | undefined {
  const ends = events.flatMap((event) => (event.type === 'turn_ended' && event.usage !== undefined ? [event] : []));
  if (ends.length === 0) return undefined;
  const costs = ends.flatMap(({ costUsd }) => costUsd ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  // What was read from a cache was sent, too.
  const inputs = ends.map(({ usage }) => {
    const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
    return inputTokens + cacheReadTokens + cacheWriteTokens;
  });
  return {
    input: sum(inputs),
    output: sum(ends.map(({ usage }) => usage?.outputTokens ?? 0)),
    ...defined({ cost_usd: costs.length === 0 ? undefined : Number(sum(costs).toFixed(9)) }),
  };
}
