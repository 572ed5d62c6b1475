import { systemEvent } from '../output/events.js';
import type { Session } from './session.js';

/** A host that asked for it hears when the session works, and when nothing is left to do. */
export function tellState(session: Session, state: 'running' | 'idle'): void {
  if (session.parts.env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'] !== '1' || session.state === state) return;
  session.state = state;
  session.emit(systemEvent(session.id, 'session_state_changed', { state }));
}
