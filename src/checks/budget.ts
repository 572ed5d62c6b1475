import { pick } from '../conversation/turn.js';
import type { Observed } from './observed.js';
import { type CheckResult, statusOf } from './result.js';

export interface Budget {
  max_cost_usd?: number | undefined;
  max_input_tokens?: number | undefined;
  max_output_tokens?: number | undefined;
  /** Calls of the model in the turn. */
  max_model_turns?: number | undefined;
}

/** Whether the turn stayed within its budget. A number that the agent does not report cannot be judged. */
export function checkBudget({ turn }: Observed, budget: Budget): CheckResult[] {
  const ended = pick(turn, 'turn_ended').at(-1);
  const limits: [string, number | undefined, number | undefined][] = [
    ['cost in USD', budget.max_cost_usd, ended?.costUsd],
    ['input tokens', budget.max_input_tokens, ended?.usage?.inputTokens],
    ['output tokens', budget.max_output_tokens, ended?.usage?.outputTokens],
    ['model turns', budget.max_model_turns, ended?.modelTurns],
  ];
  return limits.flatMap(([what, limit, spent]): CheckResult[] => {
    if (limit === undefined) return [];
    return [
      {
        name: 'budget',
        category: 'budget',
        subject: { kind: 'budget', unit: what },
        status: spent === undefined ? 'unjudged' : statusOf(spent <= limit),
        expected: `at most ${limit} ${what}`,
        actual: spent === undefined ? `the agent did not report its ${what}` : `${spent} ${what}`,
        evidence: [],
      },
    ];
  });
}
