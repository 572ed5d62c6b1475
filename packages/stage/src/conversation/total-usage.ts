import type { ConversationEvent } from '@understudy/agents';
import { defined } from '@understudy/kit';

/** What agents used over all turns and calls, as far as they reported it. */
export interface TotalUsage {
  calls: number;
  input_tokens?: number;
  output_tokens?: number;
  cost_usd?: number;
}

/** `called` is how often programs called agents. A cost of which a part is unknown is unknown. */
export function totalUsage(events: readonly ConversationEvent[], called: number): TotalUsage {
  const ends = events.flatMap((event) => (event.type === 'turn_ended' ? [event] : []));
  const calls = ends.filter(({ call }) => call === undefined).length + called;
  const told = ends.flatMap(({ usage }) => usage ?? []);
  const costs = ends.flatMap(({ costUsd }) => costUsd ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const ofTold = (count: (usage: (typeof told)[number]) => number) =>
    told.length === 0 ? undefined : sum(told.map(count));
  return {
    calls,
    ...defined({
      // What was read from a cache was sent, too.
      input_tokens: ofTold((usage) => usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)),
      output_tokens: ofTold(({ outputTokens }) => outputTokens),
      cost_usd: calls > 0 && costs.length === calls ? Number(sum(costs).toFixed(9)) : undefined,
    }),
  };
}
