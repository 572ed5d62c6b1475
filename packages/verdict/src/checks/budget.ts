import { countOf, field } from '@understudy/kit';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { count, defineCheck, keysOf, type Written } from './define-check.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';
import { reviewEmpty } from './review-expected.js';

const schema = z.strictObject({
  max_cost_usd: field('The most that it may cost, in dollars.', z.number()),
  max_input_tokens: field('The most tokens that the model may read, those of its cache included.', count),
  max_output_tokens: field('The most tokens that the model may write.', count),
  max_model_turns: field('The most calls of the model.', count),
});
export type Budget = Written<typeof schema>;

/** The calls of the model: the CLI counts those of the agent itself, and not those of its subagents. */
function modelTurns(seen: Observed): number | undefined {
  const own = pick(seen.turn, 'turn_ended').at(-1)?.modelTurns;
  if (own === undefined || pick(seen.turn, 'subagent_started').length === 0) return own;
  const told = seen.told?.();
  return told !== undefined && 'requests' in told
    ? own + told.requests.filter(({ agent }) => agent !== undefined).length
    : undefined;
}

/** `1 model turn`, `2 model turns`, `0.5 cost in USD`. */
function amount(number: number, what: string): string {
  return what.endsWith('s') ? countOf(number, what.slice(0, -1)) : `${number} ${what}`;
}

/** Whether the turn stayed within its budget. A number that the agent does not report cannot be judged. */
export function checkBudget(seen: Observed, budget: Budget): CheckResult[] {
  const ended = pick(seen.turn, 'turn_ended').at(-1);
  const used = ended?.usage;
  // What was read from a cache, or written to it, was sent, too.
  const input = used && used.inputTokens + (used.cacheReadTokens ?? 0) + (used.cacheWriteTokens ?? 0);
  const limits: [string, number | undefined, number | undefined][] = [
    ['cost in USD', budget.max_cost_usd, ended?.costUsd],
    ['input tokens', budget.max_input_tokens, input],
    ['output tokens', budget.max_output_tokens, ended?.usage?.outputTokens],
    ['model turns', budget.max_model_turns, budget.max_model_turns === undefined ? 0 : modelTurns(seen)],
  ];
  return limits.flatMap(([what, limit, spent]): CheckResult[] => {
    if (limit === undefined) return [];
    return [
      {
        name: 'budget',
        category: 'budget',
        subject: { kind: 'budget', unit: what },
        status: spent === undefined ? 'unjudged' : statusOf(spent <= limit),
        expected: `at most ${amount(limit, what)}`,
        actual: spent === undefined ? `the agent did not report its ${what}` : amount(spent, what),
        evidence: [],
      },
    ];
  });
}

export const budget = defineCheck({
  fields: { budget: field('The most that the turn may use: dollars, tokens, calls of the model.', schema) },
  scopes: ['step', 'call'],
  page: 'checks.md#budgets',
  eachTurn: true,
  judge: (seen, { budget }, place) =>
    keysOf(budget).flatMap((key) => place(['budget', key], checkBudget(seen, { [key]: budget?.[key] }))),
  review: ({ budget }) => reviewEmpty('budget', budget),
});
