import type { HookEventName } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';
import type { FiredVerdict } from './fired-verdict.js';

/**
 * Fires an event. The code that runs hooks is loaded only when a hook exists for the event. `onStarted` is called when
 * they run, and not where there are none.
 */
export async function fire(
  session: Session,
  event: HookEventName,
  fields: JsonObject,
  signal?: AbortSignal,
  onStarted?: () => void,
): Promise<FiredVerdict> {
  if (!session.hooks.some((hook) => hook.event === event)) return {};
  // A hook may read the transcript.
  session.out.writing.flush();
  const { fireHooks } = await import('./fire.js');
  return fireHooks(session, event, fields, signal, onStarted);
}
