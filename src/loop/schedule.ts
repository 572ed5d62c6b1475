import type { Hat } from './config.js';
import type { LoopEvent } from './events.js';
import { routeEvent } from './routing.js';

/** The events of one iteration and the hat that handles them. */
export interface Batch {
  /** Nobody is the coordinator. */
  hat: Hat | undefined;
  events: LoopEvent[];
  /** What waits for a later iteration. */
  rest: LoopEvent[];
}

/** The oldest event decides who is next, and takes along all that is for the same hat. */
export function nextBatch(pending: readonly LoopEvent[], hats: readonly Hat[]): Batch {
  const routed = pending.map((event) => ({ event, hat: routeEvent(event, hats) }));
  const hat = routed[0]?.hat;
  return {
    hat,
    events: routed.filter((entry) => entry.hat === hat).map(({ event }) => event),
    rest: routed.filter((entry) => entry.hat !== hat).map(({ event }) => event),
  };
}

/** What the loop publishes for a hat that has had all the activations it may have. */
export function exhausted(hat: Hat, now: string): LoopEvent {
  return { topic: `${hat.id}.exhausted`, payload: `${hat.name} was activated ${hat.maxActivations} times`, ts: now };
}

/** What the coordinator is told when nothing else is pending. */
export function resumeEvent(payload: string, now: string): LoopEvent {
  return { topic: 'task.resume', payload, ts: now };
}
