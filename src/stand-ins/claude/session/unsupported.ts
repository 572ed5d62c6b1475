import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import { recordUnsupported } from '../../shared/record-call.js';
import type { Session } from './session.js';
import type { TurnRecord } from './turn-record.js';

export const USE_REAL = 'Use the real CLI (`--stage scripted`).';

/** What the real CLI does and the stand-in does not: the turn is red by that, whatever becomes of it (decision 0022). */
export function noteUnsupported(turn: TurnRecord, message: string, fix = USE_REAL): void {
  recordUnsupported(message);
  turn.unanswered.push({ message, fix });
}

/** The same where no turn is at hand: that is red which ends next. */
export function refuse(session: Session, message: string): void {
  recordUnsupported(message);
  session.refused.push(message);
}

/** Why a skill cannot be loaded: its guards would be silent. */
export function unplayedHooks({ parts }: Session, { name, hasHooks }: CommandDefinition): string | undefined {
  if (hasHooks === undefined || parts.settings['disableAllHooks'] === true) return undefined;
  return `The stand-in does not run the hooks in the front matter of ${name}.`;
}
