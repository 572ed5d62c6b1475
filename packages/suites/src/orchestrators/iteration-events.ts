import { isComplete } from '../ralph/loop/completion.js';
import { type LoopConfig, parseConfig } from '../ralph/loop/config.js';
import { type LoopEvent, parseEvents } from '../ralph/loop/events.js';
import { routeEvent } from '../ralph/loop/routing.js';
import type { ProgramIteration } from './context-schema.js';
import type { IterationFacts, Observation } from './observation.js';

type EventFacts = Pick<ProgramIteration, 'events_given' | 'events_written' | 'promised'>;

const COORDINATOR = 'ralph';

/** The events of an iteration, read with the contract of the loop, so that readers of results need not know it. */
export function eventFacts(
  facts: IterationFacts,
  { iterations, events }: Pick<Observation, 'iterations' | 'events'>,
  config: LoopConfig | undefined,
): EventFacts {
  const { output = '', prompt = '' } = facts;
  const before = iterations.find(({ iteration }) => iteration === facts.iteration - 1)?.output ?? '';
  const given = [...prompt.matchAll(/^Event: (\S+)/gm)].map(([, topic = '']) => {
    const isOf = (event: { topic: string }) => event.topic === topic;
    // Preferably as the previous agent wrote it: the events file may lack the target.
    return parseEvents(before).findLast(isOf) ?? events.find(isOf) ?? { topic };
  });
  return {
    events_given: config === undefined ? [] : given.map((event) => ({ topic: event.topic, hat: hatOf(event, config) })),
    events_written: parseEvents(output).map(({ topic }) => topic),
    promised: isComplete(output, [], config?.event_loop.completion_promise ?? 'LOOP_COMPLETE'),
  };
}

function hatOf(event: Pick<LoopEvent, 'topic' | 'target'>, { hats }: LoopConfig): string {
  return routeEvent(event, hats)?.id ?? COORDINATOR;
}

/** The configuration of a loop, if it is one. */
export function readLoopConfig(text: string): LoopConfig | undefined {
  try {
    return parseConfig(text);
  } catch {
    return undefined;
  }
}
