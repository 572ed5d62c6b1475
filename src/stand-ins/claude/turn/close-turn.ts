import type { JsonObject } from '../../../document/json.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { finishTurn } from './result.js';
import type { TurnOutcome } from './speaker.js';

export interface TurnEnd {
  isError: boolean;
  /** The scenario had no answer. This is a mistake in the scenario, not a failure of the agent. */
  unanswered: boolean;
}

/** Ends a turn: its result, and what the transcript keeps of the session. `origin` is that of a prompt of the CLI. */
export function closeTurn(
  session: Session,
  turn: TurnRecord,
  { ending, outcome }: TurnOutcome,
  origin?: JsonObject,
): TurnEnd {
  const result = finishTurn(session, turn, ending, outcome, origin);
  const { clock } = session.parts;
  // Of a conversation that has no prompt yet, the real CLI writes the line when it ends.
  if (turn.command === 'clear') session.owesLastPrompt = true;
  else if (ending.kind !== 'local' || outcome === 'local_command' || outcome === 'blocked') {
    if (session.lastPrompt === undefined) session.owesLastPrompt = true;
    else session.writeLastPrompt();
  }
  session.transcript.addLines({
    type: 'cost-state',
    totalCostUSD: session.tally.cost,
    totalAPIDuration: session.apiMs,
    totalAPIDurationWithoutRetries: session.apiMs,
    totalToolDuration: session.toolMs,
    totalLinesAdded: session.linesAdded,
    totalLinesRemoved: session.linesRemoved,
    totalDuration: clock.elapsed(),
    startTime: clock.now() - clock.elapsed(),
    modelUsage: session.tally.toTranscript(),
    hasUnknownModelCost: false,
  });
  session.transcript.flush();
  return { isError: result['is_error'] === true, unanswered: outcome === 'unanswered' };
}
