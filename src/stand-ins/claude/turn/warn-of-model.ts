import { isKnownModel } from '../../../claude-code/models.js';
import { writeOut } from '../../shared/write-out.js';
import type { Session } from '../session/session.js';

/** The CLI names a model that it does not know when it asks it for the first time. */
export function warnOfModel(session: Session, asking: 'sdk' | 'compact'): void {
  const { model } = session;
  if (isKnownModel(model) || session.unknownModels.has(model)) return;
  session.unknownModels.add(model);
  writeOut(2, `[claude-code:unrecognized_model] ${JSON.stringify({ model, query_source: asking })}\n`);
}
