import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { TurnOutcome } from './speaker.js';

/** How a turn ends that has cost too much. */
export function checkBudget(session: Session): TurnOutcome | undefined {
  const { maxBudgetUsd } = session.parts.options;
  if (maxBudgetUsd === undefined || session.spending.ofBudget < maxBudgetUsd) return undefined;
  return limit('error_max_budget_usd', 'budget_exhausted', `Reached maximum budget ($${maxBudgetUsd})`);
}

/** How a turn ends after its last request. Here the real CLI counts requests, and not the results of tools. */
export function maxTurnsReached(turn: TurnRecord, requests: number): TurnOutcome {
  turn.userLines = requests;
  return limit('error_max_turns', 'max_turns', `Reached maximum number of turns (${requests})`);
}

function limit(subtype: string, terminalReason: string, error: string): TurnOutcome {
  return { ending: { kind: 'error', subtype, terminalReason, errors: [error] }, outcome: 'limit' };
}
