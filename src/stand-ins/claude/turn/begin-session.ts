import { fire } from '../hooks/fire-if-any.js';
import { systemEvent } from '../output/events.js';
import { connectMcp } from '../session/connect-mcp.js';
import type { Session } from '../session/session.js';

/** What happens before the first turn: MCP servers, SessionStart hooks, the title. */
export async function beginSession(session: Session, hostServers: readonly string[] = []): Promise<void> {
  await connectMcp(session, hostServers);
  await fire(session, 'SessionStart', { source: session.parts.source });
  const { title } = session;
  if (title !== undefined) session.emit(systemEvent(session.id, 'session_title_changed', { title }));
}
