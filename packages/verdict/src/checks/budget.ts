import { countOf } from '@understudy/kit';
import { pick } from '@understudy/stage';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

export interface Budget {
  max_cost_usd?: number | undefined;
  max_input_tokens?: number | undefined;
  max_output_tokens?: number | undefined;
  /** Calls of the model in the turn. */
  max_model_turns?: number | undefined;
}

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
