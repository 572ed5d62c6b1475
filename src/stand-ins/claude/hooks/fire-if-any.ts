import type { HookEventName } from '../../../claude-code/hooks/events.js';
import type { JsonObject } from '../../../document/json.js';
import type { Session } from '../session/session.js';
import type { FiredVerdict } from './fired-verdict.js';

/** Fires an event. The code that runs hooks is loaded only when a hook exists for the event. */
export async function fire(
  session: Session,
  event: HookEventName,
  fields: JsonObject,
  signal?: AbortSignal,
): Promise<FiredVerdict> {
  if (!session.hooks.some((hook) => hook.event === event)) return {};
  // A hook may read the transcript.
  session.writing.flush();
  const { fireHooks } = await import('./fire.js');
  return fireHooks(session, event, fields, signal);
}
