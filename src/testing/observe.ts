import { UnderstudyError } from '@understudy/kit';
import { Conversation, type SessionPart, type Told, type Turn, type TurnSource } from '@understudy/stage';
import type { ObservedStep } from '@understudy/verdict';

/** What an expectation is held against. */
export interface Received {
  seen: ObservedStep;
  /** The turns that it is about, the last one last. */
  turns: readonly Turn[];
  /** `turn 2`, `start`, `end`, or `conversation`. */
  what: string;
  conversation: TurnSource | undefined;
}

/** Takes a turn, the start or the end of a conversation, or a conversation as one long turn. Anything else is a mistake in the test. */
export function received(value: unknown): Received {
  if (value instanceof Conversation) {
    const { turns, events, workflow } = value;
    const number = turns.at(-1)?.number ?? 0;
    const seen = { turn: events, all: events, number, workflow, told: () => toldInAll(value, number) };
    return { seen, turns, what: 'conversation', conversation: value };
  }
  if (isTurn(value)) {
    const { conversation } = value;
    const all = conversation?.events.filter((event) => event.turn <= value.number) ?? value.events;
    const workflow = conversation?.workflowAfter(value.number);
    const before = conversation?.turns.filter(({ number }) => number < value.number) ?? [];
    const told = conversation && (() => conversation.told(value.number));
    const seen = { turn: value.events, all, number: value.number, workflow, told };
    return { seen, turns: [...before, value], what: `turn ${value.number}`, conversation };
  }
  if (isSessionPart(value)) {
    const { part, events, conversation } = value;
    const seen = { turn: events, all: conversation.events, number: 0, workflow: undefined };
    return { seen, turns: conversation.turns, what: part, conversation };
  }
  const isPromise = typeof value === 'object' && value !== null && 'then' in value;
  throw new UnderstudyError('NOT_A_TURN', 'this is no turn and no conversation', {
    fix: isPromise
      ? 'Await it: `await conversation.send("…")`.'
      : 'Give it what `conversation.send()` resolves to, or the conversation itself.',
  });
}

/** What was told in all turns; unknown if it is in one of them. */
function toldInAll(conversation: TurnSource, turns: number): Told {
  const told = Array.from({ length: turns }, (_, index) => conversation.told(index + 1));
  const unknown = told.find((one) => 'unknown' in one);
  if (unknown !== undefined) return unknown;
  const known = told.filter((one) => 'requests' in one);
  const standIn = known.some((one) => one.standIn === true) ? { standIn: true as const } : {};
  return { requests: known.flatMap((one) => one.requests), ...standIn };
}

/** A conversation in which nothing was said shows nothing: neither that something holds, nor that it does not. */
export function assertSpoken({ turns }: Received): void {
  if (turns.length > 0) return;
  throw new UnderstudyError('NOTHING_SAID', 'no prompt was sent in this conversation, so there is nothing to check', {
    fix: 'Send something first: `await conversation.send("…")`.',
  });
}

function isSessionPart(value: unknown): value is SessionPart {
  return typeof value === 'object' && value !== null && 'part' in value && 'conversation' in value;
}

function isTurn(value: unknown): value is Turn {
  return (
    typeof value === 'object' &&
    value !== null &&
    'events' in value &&
    Array.isArray(value.events) &&
    'outcome' in value &&
    'prompt' in value
  );
}
