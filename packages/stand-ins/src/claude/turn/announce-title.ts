import type { HookVerdict } from '@understudy/agents';
import type { Session } from '../session/session.js';

/** A hook may give the session a title. */
export function takeTitle(session: Session, { sessionTitle }: HookVerdict): void {
  if (sessionTitle === undefined || sessionTitle === session.chosen.title) return;
  session.chosen.title = sessionTitle;
  session.transcript.addTitle(sessionTitle);
  announceTitle(session);
}

/** Sends the host the title of the session, if it has one. */
export function announceTitle(session: Session): void {
  const { title } = session.chosen;
  if (title !== undefined) session.out.system('session_title_changed', { title });
}
