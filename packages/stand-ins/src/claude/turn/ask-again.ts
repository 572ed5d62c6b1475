import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';

/** The CLI itself asks the model for more. */
export function askAgain(session: Session, turn: TurnRecord, request: string): void {
  session.out.meta(request);
  turn.userLines++;
}
