import { resolveModel } from '../../../claude-code/models.js';
import type { JsonObject } from '../../../document/json.js';
import { titleFrom } from '../../../scenario/title.js';
import { plainUsage } from '../../shared/step-usage.js';
import type { Session } from '../session/session.js';

/** Of less nobody makes a title. */
const SHORTEST_DESCRIPTION = 10;

/** A title by the small model, from what a host says of the session. One that is kept is not made again. */
export function generateTitle(session: Session, { description, persist }: JsonObject): JsonObject {
  if (typeof description !== 'string') throw new Error('generate_session_title: description must be a string');
  const isKept = persist === true;
  const known = isKept ? (session.title ?? session.modelTitle) : undefined;
  if (known !== undefined) return { title: known };
  const about = description.trim();
  if (about.length < SHORTEST_DESCRIPTION) return { title: null };
  const title = titleFrom(about);
  // Behind any other key the CLI expects no small model.
  const hasSmallModel = session.parts.env['ANTHROPIC_API_KEY']?.startsWith('sk-ant-') === true;
  session.tally.add(hasSmallModel ? resolveModel('haiku') : session.model, plainUsage(JSON.stringify({ title })));
  if (isKept) {
    session.modelTitle = title;
    session.transcript.addLines({ type: 'ai-title', aiTitle: title });
  }
  return { title };
}
