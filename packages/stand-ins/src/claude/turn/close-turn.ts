import { CliError } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import { Interrupted, sendInterruption } from '../session/interrupted.js';
import type { Session } from '../session/session.js';
import { SessionCrash } from '../session/session-crash.js';
import type { TurnRecord } from '../session/turn-record.js';
import { type Ending, entryOf, resultOf } from './result.js';
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
  const event = resultOf(session, turn, ending, origin);
  const log = origin === undefined ? entryOf(session, turn, ending, outcome) : undefined;
  session.out.endTurn({ event, ...defined({ log, line: keptOf(session, ending) }) });
  return { isError: event['is_error'] === true, unanswered: outcome === 'unanswered' };
}

/** What the transcript keeps of a turn that has ended. */
function keptOf({ transcript, spending }: Session, { kind }: Ending): (JsonObject & { type: string }) | undefined {
  // Nothing is written of a session that breaks off before it has begun.
  return kind === 'crash' && transcript.leaf === null ? undefined : spending.line();
}

const CRASHED = '[session_crash] error_name=TelemetrySafeError api_error_status=none cause_name=none';

/** Ends a turn that was interrupted, or in which the CLI breaks off. Another error is thrown again, and so is that. */
export function closeInterrupted(session: Session, turn: TurnRecord, error: unknown, origin?: JsonObject): TurnEnd {
  if (error instanceof SessionCrash) {
    const errors = [error.message, CRASHED];
    closeTurn(session, turn, { ending: { kind: 'crash', errors }, outcome: 'failure' }, origin);
  } else if (error instanceof CliError) {
    const ending = { kind: 'crash', errors: [error.message] } as const;
    const log = entryOf(session, turn, ending, 'failure');
    session.out.endTurn({ log, ...defined({ line: keptOf(session, ending) }) });
  }
  if (!(error instanceof Interrupted)) throw error;
  return closeTurn(session, turn, interruption(session, turn), origin);
}

function interruption(session: Session, turn: TurnRecord): TurnOutcome {
  const duringTools = turn.stopReason === 'tool_use';
  // The model reads it with the next prompt.
  session.atWork.notes.push(sendInterruption(session, duringTools));
  turn.userLines++;
  const errors = [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${turn.stopReason}`];
  const terminalReason = duringTools ? 'aborted_tools' : 'aborted_streaming';
  return {
    ending: { kind: 'error', subtype: 'error_during_execution', terminalReason, errors },
    outcome: 'interrupted',
  };
}
