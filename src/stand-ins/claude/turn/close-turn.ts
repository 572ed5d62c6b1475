import { commandName } from '../../../claude-code/built-in.js';
import { CliError } from '../../../claude-code/cli-error.js';
import type { JsonObject } from '../../../document/json.js';
import { userEvent } from '../output/events.js';
import { Interrupted, writeInterruption } from '../session/interrupted.js';
import type { Session } from '../session/session.js';
import { SessionCrash } from '../session/session-crash.js';
import { tellProgressOf } from '../session/state-events.js';
import type { TurnRecord } from '../session/turn-record.js';
import { type Ending, finishTurn, writeLog } from './result.js';
import type { TurnOutcome } from './speaker.js';

export interface TurnEnd {
  isError: boolean;
  /** The scenario had no answer. This is a mistake in the scenario, not a failure of the agent. */
  unanswered: boolean;
  isInterrupted?: boolean;
}

/** Ends a turn: its result, and what the transcript keeps of the session. `origin` is that of a prompt of the CLI. */
export function closeTurn(
  session: Session,
  turn: TurnRecord,
  { ending, outcome }: TurnOutcome,
  origin?: JsonObject,
): TurnEnd {
  for (const id of session.heard.absorbed)
    tellProgressOf(session, id, outcome === 'interrupted' ? 'cancelled' : 'completed');
  const result = finishTurn(session, turn, ending, outcome, origin);
  keepTurn(session, turn, ending, outcome);
  return { isError: result['is_error'] === true, unanswered: outcome === 'unanswered' };
}

/** What the transcript keeps of a turn that has ended. */
function keepTurn(session: Session, turn: TurnRecord, ending: Ending, outcome: TurnOutcome['outcome']): void {
  // Nothing is written of a session that breaks off before it has begun.
  if (ending.kind === 'crash' && session.transcript.leaf === null) return;
  const { clock } = session.parts;
  // Of a conversation that has no prompt yet, the real CLI writes the line when it ends.
  if (turn.command !== undefined && commandName(turn.command) === 'clear') session.owesLastPrompt = true;
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
}

const CRASHED = '[session_crash] error_name=TelemetrySafeError api_error_status=none cause_name=none';

/** Ends a turn that was interrupted, or in which the CLI breaks off. Another error is thrown again, and so is that. */
export function closeInterrupted(session: Session, turn: TurnRecord, error: unknown, origin?: JsonObject): TurnEnd {
  if (error instanceof SessionCrash) {
    const errors = [error.message, CRASHED];
    closeTurn(session, turn, { ending: { kind: 'crash', errors }, outcome: 'failure' }, origin);
  } else if (error instanceof CliError) {
    const ending = { kind: 'crash', errors: [error.message] } as const;
    writeLog(session, turn, ending, 'failure');
    keepTurn(session, turn, ending, 'failure');
  }
  if (!(error instanceof Interrupted)) throw error;
  return { ...closeTurn(session, turn, interruption(session, turn, error), origin), isInterrupted: true };
}

function interruption(session: Session, turn: TurnRecord, { byMessage }: Interrupted): TurnOutcome {
  const duringTools = turn.stopReason === 'tool_use';
  if (!byMessage) tellInterruption(session, turn, duringTools);
  else if (duringTools)
    return { ending: { kind: 'said', text: '', terminalReason: 'aborted_tools' }, outcome: 'interrupted' };
  const errors = [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${turn.stopReason}`];
  const terminalReason = duringTools ? 'aborted_tools' : 'aborted_streaming';
  return {
    ending: { kind: 'error', subtype: 'error_during_execution', terminalReason, errors },
    outcome: 'interrupted',
  };
}

function tellInterruption(session: Session, turn: TurnRecord, duringTools: boolean): void {
  const text = writeInterruption(session, duringTools);
  // The model reads it with the next prompt.
  session.atWork.notes.push(text);
  session.emit(userEvent(session.at(), [{ type: 'text', text }]));
  turn.userLines++;
}
