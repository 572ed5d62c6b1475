import { systemEvent } from '../output/events.js';
import type { Session } from '../session/session.js';

/** Tells the host the title of the session, if it has one. */
export function announceTitle(session: Session): void {
  const { title } = session;
  if (title !== undefined) session.emit(systemEvent(session.id, 'session_title_changed', { title }));
}
