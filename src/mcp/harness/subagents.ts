import type { ConversationEvent } from '@understudy/agents';

/** The subagents that have begun and not ended, in the order in which they began. */
export function runningSubagents(events: readonly ConversationEvent[]): string[] {
  const running = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'subagent_started') running.set(event.id, event.agent);
    else if (event.type === 'subagent_finished') running.delete(event.id);
    else if (event.type === 'session_ended') running.clear();
  }
  return [...running.values()];
}
