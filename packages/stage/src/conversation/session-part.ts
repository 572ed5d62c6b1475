import type { ConversationEvent, EventOf } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { pick, type TurnSource } from './turn.js';

/** What happened in a conversation outside of its turns: at its start, or at its end. */
export interface SessionPart {
  part: 'start' | 'end';
  /** `SessionStart` at the start; `SessionEnd` at the end, with `recordHooks`. */
  hooks: EventOf<'hook_finished'>[];
  files: EventOf<'file_changed'>[];
  commits: EventOf<'commit'>[];
  /** Processes that the agent left running, as command lines; absent where that is not known, and before the end. */
  leftovers?: readonly string[];
  events: readonly ConversationEvent[];
  /** Not enumerable: a part is printed and compared without it. */
  readonly conversation: TurnSource;
}

/** Gathers the start or the end of a conversation from its events. */
export function sessionPart(
  part: SessionPart['part'],
  events: readonly ConversationEvent[],
  conversation: TurnSource,
): SessionPart {
  const leftovers = part === 'end' ? leftoversIn(conversation.events) : undefined;
  const gathered: Omit<SessionPart, 'conversation'> = {
    part,
    hooks: pick(events, 'hook_finished'),
    files: pick(events, 'file_changed'),
    commits: pick(events, 'commit'),
    ...defined({ leftovers }),
    events,
  };
  return Object.defineProperty(gathered as SessionPart, 'conversation', { value: conversation });
}

/** Some CLIs have one process for the conversation, others one for each turn: what any of them left running. */
export function leftoversIn(events: readonly ConversationEvent[]): string[] | undefined {
  const ended = pick(events, 'process_ended').map(({ leftovers }) => leftovers);
  if (ended.length === 0 || ended.includes(undefined)) return undefined;
  return ended.flatMap((leftovers) => leftovers ?? []);
}
