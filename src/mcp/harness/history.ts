import type { ConversationEvent } from '@understudy/agents';
import { defined } from '@understudy/kit';

/** One thing in the history of a conversation, for a reader. */
export interface HistoryEntry {
  turn: number;
  at: string;
  role: 'user' | 'agent' | 'tool' | 'hook' | 'harness';
  text: string;
  /** For tools: the call, its name and how it ended. */
  id?: string;
  name?: string;
  status?: string;
}

/** The history of a conversation from its events: what was said and done, in order. */
export function historyOf(events: readonly ConversationEvent[]): HistoryEntry[] {
  return events.flatMap((event) => {
    const entry = entryOf(event);
    return entry === undefined ? [] : [{ turn: event.turn, at: event.at, ...entry }];
  });
}

function entryOf(event: ConversationEvent): Omit<HistoryEntry, 'turn' | 'at'> | undefined {
  switch (event.type) {
    case 'prompt':
      return { role: 'user', text: event.text, id: event.id };
    case 'command':
      return {
        role: 'harness',
        name: event.name,
        status: event.status,
        text: `the command ${event.typed} is ${event.status}`,
      };
    case 'text':
      return { role: 'agent', text: event.text, ...defined({ name: event.agent }) };
    case 'tool_call':
      return { role: 'agent', id: event.id, name: event.tool, status: 'called', text: JSON.stringify(event.input) };
    case 'tool_result':
      return { role: 'tool', id: event.id, name: event.tool, status: event.status, text: event.text };
    case 'permission':
      return { role: 'harness', name: event.tool, status: event.decision, text: `${event.tool} asked for permission` };
    case 'hook_finished':
      return {
        role: 'hook',
        id: event.id,
        name: event.name,
        status: event.blocked ? 'blocked' : event.outcome,
        text: event.stderr || event.stdout,
      };
    case 'commit':
      return { role: 'harness', id: event.hash, name: 'commit', text: event.message };
    case 'turn_ended':
      return { role: 'harness', name: 'turn', status: event.outcome, text: event.message ?? event.reason ?? '' };
    case 'session_ended':
      return { role: 'harness', name: 'session', status: 'ended', text: event.reason };
    default:
      return undefined;
  }
}
