import type { Hat } from './config.js';
import type { LoopEvent } from './events.js';
import { routeEvent } from './routing.js';

/** The events of one iteration and the hat that handles them. */
export interface Batch {
  /** Undefined is the coordinator. */
  hat: Hat | undefined;
  events: LoopEvent[];
  /** Events for a later iteration. */
  rest: LoopEvent[];
}

/** The oldest event decides which hat is next. All events for the same hat come with it. */
export function nextBatch(pending: readonly LoopEvent[], hats: readonly Hat[]): Batch {
  const routed = pending.map((event) => ({ event, hat: routeEvent(event, hats) }));
  const hat = routed[0]?.hat;
  return {
    hat,
    events: routed.filter((entry) => entry.hat === hat).map(({ event }) => event),
    rest: routed.filter((entry) => entry.hat !== hat).map(({ event }) => event),
  };
}
