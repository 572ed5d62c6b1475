import { defined } from '@understudy/kit';
import { userEvent } from '../output/events.js';
import type { Session } from './session.js';
import type { UserMessage } from './user-message.js';

/** A host that asked for it receives its messages again when the agent gets them. */
export function replay(session: Session, { content, uuid: id }: UserMessage): void {
  if (!session.parts.options.replayUserMessages) return;
  session.out.emit(userEvent({ ...session.out.at(), ...defined({ uuid: id }) }, content, { isReplay: true }));
}

/** The same for a message that is sent with the next one: its time is not reported. */
export function replayMerged(session: Session, { content, uuid: id }: UserMessage): void {
  if (id === undefined || !session.parts.options.replayUserMessages) return;
  const { timestamp: _, ...event } = userEvent({ ...session.out.at(), uuid: id }, content, { isReplay: true });
  session.out.emit(event);
}
