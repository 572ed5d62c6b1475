import type { ConversationEvent, EventOf } from '../agents/events.js';
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
  const leftovers = pick(events, 'process_ended').find((event) => event.leftovers !== undefined)?.leftovers;
  const gathered: Omit<SessionPart, 'conversation'> = {
    part,
    hooks: pick(events, 'hook_finished'),
    files: pick(events, 'file_changed'),
    commits: pick(events, 'commit'),
    ...(leftovers === undefined ? {} : { leftovers }),
    events,
  };
  return Object.defineProperty(gathered as SessionPart, 'conversation', { value: conversation });
}
