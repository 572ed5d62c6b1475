import type { JsonObject } from '../../../document/json.js';
import type { Session } from '../session/session.js';
import { RefusedRequest } from './refused-request.js';

export async function setModel(session: Session, { model }: JsonObject): Promise<JsonObject> {
  const { recordSwitch, switchModel } = await import('../turn/switch-model.js');
  if ((model ?? '') !== '' && typeof model !== 'string')
    throw new RefusedRequest('set_model: model must be a string', 'invalid_request', { model: session.model });
  const requested = typeof model === 'string' ? model : null;
  const { heard, objection } = await switchModel(session, requested);
  if (objection !== undefined)
    throw new RefusedRequest(`Model switch blocked by a PreModelSwitch hook: ${objection}`, 'blocked_by_hook', {
      model: session.model,
    });
  if (heard !== undefined) recordSwitch(session, requested);
  session.switchedModel = heard;
  return { model: session.model };
}

/** Lets hooks hear of the switch. */
export async function tellSwitch(session: Session): Promise<void> {
  const { tellSwitch: tell } = await import('../turn/switch-model.js');
  await tell(session);
}
