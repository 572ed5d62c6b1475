import type { Session } from './session.js';
import type { TaskNotice } from './task-notice.js';

/** Keeps a notice for the agent: it reads it with its next tool results, or in a turn of its own. */
export function enqueueNotice(session: Session, notice: Omit<TaskNotice, 'timestamp'>): void {
  session.notices.push({ ...notice, timestamp: recordWaiting(session, notice.text) });
}

/** Writes that a notice waits. Gives the time. */
export function recordWaiting({ transcript, parts }: Session, content: string): string {
  const timestamp = parts.clock.timestamp();
  transcript.addLines({ type: 'queue-operation', operation: 'enqueue', timestamp, content });
  return timestamp;
}
