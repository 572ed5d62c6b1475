import { fire } from '../hooks/fire-if-any.js';
import { systemEvent } from '../output/events.js';
import type { Session } from '../session/session.js';

/** What happens before the first turn, while MCP servers start: SessionStart hooks, and the title. */
export async function beginSession(session: Session): Promise<void> {
  await fire(session, 'SessionStart', { source: session.parts.source });
  const { title } = session;
  if (title !== undefined) session.emit(systemEvent(session.id, 'session_title_changed', { title }));
  if (session.parts.settings['disableAllHooks'] === true)
    session.emit(systemEvent(session.id, 'ui_invalidate', { event: 'ui.render' }));
}
