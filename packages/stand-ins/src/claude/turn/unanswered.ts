import { recordUnsupported } from '../../shared/record-call.js';
import { writeOut } from '../../shared/write-out.js';
import { USE_REAL } from '../refused.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { TurnOutcome } from './speaker.js';

/** Ends a turn that the script has no answer for. */
export function unanswered(turn: TurnRecord, message: string, fix: string): TurnOutcome {
  turn.unanswered.push({ message, fix });
  return ended(message, fix);
}

/** Ends a turn in which the real CLI would go on, and do what the stand-in does not. */
export function unsupported(message: string): TurnOutcome {
  recordUnsupported(message);
  return ended(message, USE_REAL);
}

function ended(message: string, fix: string): TurnOutcome {
  const errors = [`${message}\n${fix}`];
  writeOut(2, `understudy: ${errors[0]}\n`);
  return {
    ending: { kind: 'error', subtype: 'error_during_execution', terminalReason: 'unanswered', errors },
    outcome: 'unanswered',
  };
}
