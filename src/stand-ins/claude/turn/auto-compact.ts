import { fire } from '../hooks/fire-if-any.js';
import { systemEvent, userEvent } from '../output/events.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { replaceBySummary } from './compaction.js';
import { announceRequest } from './emit-message.js';
import { tellListing } from './listing.js';

/**
 * The API has said that the conversation is too long: the CLI compacts it and asks again. It keeps the last message and
 * the prompt behind it. Says whether it could.
 */
export async function compactForRetry(session: Session, turn: TurnRecord, signal: AbortSignal): Promise<boolean> {
  const { answers, transcript } = session;
  const status = (fields: object): void => session.emit(systemEvent(session.id, 'status', { status: null, ...fields }));
  status({ status: 'compacting', compact_output_chars: 0 });
  // Of one exchange only the prompt that follows it can be kept, and a failure is no exchange.
  const leavesOut = answers.count < 2;
  if (leavesOut && !answers.endsWithModel) {
    status({ compact_result: 'failed', compact_error: 'too_few_groups' });
    return false;
  }
  const before = await fire(session, 'PreCompact', { trigger: 'auto', custom_instructions: null }, signal);
  if (before.block !== undefined) {
    status({});
    return false;
  }
  const kept = [...answers.kept, ...(session.promptLine === undefined ? [] : [session.promptLine])];
  const keepsAnswer = !leavesOut && answers.endsWithModel;
  const compaction = { trigger: 'auto' as const, kept, leavesOut };
  const { summary, lines, atStart, emitBoundary } = await replaceBySummary(session, turn, compaction, before, signal);
  status({ compact_result: 'success' });
  emitBoundary();
  transcript.leaf = null;
  transcript.addMessages([...lines, ...atStart]);
  session.emit(userEvent(session.at(), [{ type: 'text', text: summary }], { isSynthetic: true }));
  session.showMessages(atStart);
  turn.userLines++;
  // What is before the messages that are kept is no news for the model.
  turn.told.push(...(keepsAnswer ? [] : [summary]), ...session.takeNotes());
  tellListing(session, turn);
  answers.compact();
  announceRequest(session, null);
  return true;
}
