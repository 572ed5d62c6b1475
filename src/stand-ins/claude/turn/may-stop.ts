import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { sessionTools } from './init-event.js';
import type { Speaker } from './speaker.js';
import type { Stopping } from './stop-hooks.js';

/** Whether the turn may end. The code that runs Stop hooks is loaded only where something may be against it. */
export async function mayStop(
  session: Session,
  turn: TurnRecord,
  speaker: Speaker,
  blocks: number,
  signal: AbortSignal,
): Promise<Stopping> {
  const lacksOutput = speaker.parentToolUseId === null && blocks === 0 && isWithoutOutput(session, turn);
  if (lacksOutput || session.hooks.some(({ event }) => event === speaker.stopEvent)) {
    const { runStopHooks } = await import('./stop-hooks.js');
    return runStopHooks(session, turn, speaker, blocks, lacksOutput, signal);
  }
  session.out.writeSaidOfResult();
  return {};
}

/** The turn is for an output in a form of its own, and has none. */
function isWithoutOutput(session: Session, { structuredOutput }: TurnRecord): boolean {
  return structuredOutput === undefined && sessionTools(session).includes('StructuredOutput');
}
