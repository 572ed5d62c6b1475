import type { ConversationEvent, EventOf } from '@understudy/agents';
import type { PageDetails, PageRequest } from './page-data.js';
import { checkItem, eventItem, requestItem } from './timeline-items.js';
import type { TimelineItem, TimelineTurn } from './timeline-turn.js';

/** The conversation of a test, step by step: events, requests to the model and checks, each in its place. */
export function timelineOf({ entry, events, requests, turns: more = [] }: PageDetails): TimelineTurn[] {
  const start = Date.parse(events[0]?.at ?? requests[0]?.at ?? '');
  const own = events.filter(({ step }) => step === undefined);
  const inTurn = groupRequests(own, requests);
  const ofTurn = (turn: number) => ({
    events: own.filter((event) => event.turn === turn),
    requests: inTurn.get(turn) ?? [],
  });
  const turns = [partOf('Start', ofTurn(0), start)];
  let turn = 0;
  for (const step of entry.steps) {
    const ran = events.filter((event) => event.step === step.number);
    // Steps that run a program are no turns of the conversation.
    const seen = step.run !== undefined || ran.length > 0 ? { events: ran, requests: [] } : ofTurn(++turn);
    turns.push(stepTurn(step, seen, start));
  }
  const last = Math.max(0, ...own.map((event) => event.turn));
  while (turn < last) turns.push(partOf('End', ofTurn(++turn), start));
  turns.push(...more);
  const items = entry.checks.map(checkItem);
  const failed = items.some(({ tone }) => tone === 'bad');
  turns.push({ title: 'Checks of the whole', facts: [], failed, moves: [], items });
  return turns.filter((one) => one.items.length > 0 || one.facts.length > 0);
}

interface SeenPart {
  events: readonly ConversationEvent[];
  requests: readonly PageRequest[];
}

/** What belongs to no step. */
function partOf(name: string, { events, requests }: SeenPart, start: number): TimelineTurn {
  const prompt = events.find((event) => event.type === 'prompt')?.text;
  const title = prompt === undefined ? name : `Turn ${events[0]?.turn}: ${prompt}`;
  return { title, facts: factsOf(events), failed: false, moves: [], items: itemsOf(events, requests, start) };
}

type Step = PageDetails['entry']['steps'][number];

function stepTurn(step: Step, { events, requests }: SeenPart, start: number): TimelineTurn {
  const checks = step.checks.map(checkItem);
  const name = step.name === undefined ? '' : ` (${step.name})`;
  return {
    title: `Step ${step.number}${name}: ${step.send}`,
    facts: step.reached ? factsOf(events) : ['not reached'],
    failed: !step.reached || checks.some(({ tone }) => tone === 'bad'),
    moves: step.workflow ?? [],
    items: [...itemsOf(events, requests, start), ...checks],
  };
}

function factsOf(events: readonly ConversationEvent[]): string[] {
  const ended = events.find((event): event is EventOf<'turn_ended'> => event.type === 'turn_ended');
  const program = events.find((event): event is EventOf<'program'> => event.type === 'program');
  if (program !== undefined) {
    const code = program.timedOut ? 'timed out' : `exit code ${program.signal ?? program.code}`;
    return [code, `${(program.milliseconds / 1000).toFixed(1)} s`];
  }
  return ended === undefined ? [] : endFacts(ended);
}

function endFacts({ outcome, reason, milliseconds, usage, costUsd }: EventOf<'turn_ended'>): string[] {
  return [
    reason === undefined ? outcome : `${outcome}: ${reason}`,
    `${(milliseconds / 1000).toFixed(1)} s`,
    ...(usage === undefined ? [] : [`${usage.inputTokens} → ${usage.outputTokens} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
}

/** A request belongs to the turn that had begun when it came. */
function groupRequests(events: readonly ConversationEvent[], requests: readonly PageRequest[]) {
  const begins = events.flatMap((event) => (event.type === 'prompt' ? [{ turn: event.turn, at: event.at }] : []));
  const groups = new Map<number, PageRequest[]>();
  for (const request of requests) {
    const turn = begins.findLast(({ at }) => at <= request.at)?.turn ?? 0;
    groups.set(turn, [...(groups.get(turn) ?? []), request]);
  }
  return groups;
}

function itemsOf(
  events: readonly ConversationEvent[],
  requests: readonly PageRequest[],
  start: number,
): TimelineItem[] {
  const placed = [
    ...events.flatMap((event) => {
      const item = eventItem(
        event,
        events.filter(({ call }) => call === event.call),
      );
      if (item === undefined) return [];
      const kind = event.call === undefined || event.type === 'call' ? item.kind : `${event.call}: ${item.kind}`;
      return [{ at: Date.parse(event.at), item: { ...item, kind, seq: event.seq } }];
    }),
    ...requests.map((request) => ({ at: Date.parse(request.at), item: requestItem(request) })),
  ];
  return placed
    .sort((one, other) => one.at - other.at)
    .map(({ at, item }) => (Number.isNaN(at - start) ? item : { ...item, at: Math.max(0, at - start) }));
}
