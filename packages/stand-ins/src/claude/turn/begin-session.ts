import { fire } from '../hooks/fire-if-any.js';
import type { Session } from '../session/session.js';
import { announceTitle, takeTitle } from './announce-title.js';
import { announceMemory } from './memory.js';

/**
 * What happens before the first turn, while MCP servers start: hooks that set up the project, SessionStart hooks, the title.
 * Gives the prompt that a hook puts before the first.
 */
export async function beginSession(session: Session): Promise<string | undefined> {
  const { setup } = session.parts.options;
  if (setup !== undefined) await fire(session, 'Setup', { trigger: setup });
  const started = await fire(session, 'SessionStart', { source: session.parts.source });
  if (session.hooks.some(({ event }) => event === 'InstructionsLoaded')) {
    await announceMemory(session);
  }
  if (started.sessionTitle === undefined) announceTitle(session);
  else takeTitle(session, started);
  return started.firstPrompt;
}
