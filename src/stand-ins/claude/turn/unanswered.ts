import { writeOut } from '../../shared/write-out.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { TurnOutcome } from './speaker.js';

/** Ends a turn for which there is no answer: neither the script has one, nor the stand-in. */
export function unanswered(turn: TurnRecord, message: string, fix: string): TurnOutcome {
  turn.unanswered.push({ message, fix });
  const errors = [`${message}\n${fix}`];
  writeOut(2, `understudy: ${errors[0]}\n`);
  return {
    ending: { kind: 'error', subtype: 'error_during_execution', terminalReason: 'unanswered', errors },
    outcome: 'unanswered',
  };
}
