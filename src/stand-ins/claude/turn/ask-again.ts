import { userEvent } from '../output/events.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';

/** The CLI itself asks the model for more. A host does not hear that of a subagent. */
export function askAgain(session: Session, turn: TurnRecord, request: string): void {
  const event = userEvent(session.at(), [{ type: 'text', text: request }], { isSynthetic: true });
  if (session.subagent === undefined) session.emit(event);
  session.writing.addMessages([
    {
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: request },
      isMeta: true,
      uuid: String(event['uuid']),
      timestamp: session.parts.clock.timestamp(),
    },
  ]);
  turn.userLines++;
}
