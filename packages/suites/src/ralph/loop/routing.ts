import type { Hat } from './config.js';
import type { LoopEvent } from './events.js';

/** Whether a trigger matches a topic. `*` matches one segment; alone, it matches everything. */
export function topicMatches(trigger: string, topic: string): boolean {
  if (trigger === '*') return true;
  const wanted = trigger.split('.');
  const given = topic.split('.');
  return (
    wanted.length === given.length && wanted.every((segment, index) => segment === '*' || segment === given[index])
  );
}

/** The fewer wildcards, the more specific; the lone `*` comes last. */
function wildcards(trigger: string): number {
  return trigger === '*' ? Number.POSITIVE_INFINITY : trigger.split('.').filter((segment) => segment === '*').length;
}

/**
 * The hat that an event goes to: its target, else the hat with the most specific trigger. Undefined is the coordinator,
 * which handles what no hat asks for.
 */
export function routeEvent(event: Pick<LoopEvent, 'topic' | 'target'>, hats: readonly Hat[]): Hat | undefined {
  if (event.target !== undefined) return hats.find((hat) => hat.id === event.target || hat.name === event.target);
  let best: { hat: Hat; wildcards: number } | undefined;
  for (const hat of hats) {
    for (const trigger of hat.triggers) {
      if (!topicMatches(trigger, event.topic)) continue;
      const rank = wildcards(trigger);
      if (best === undefined || rank < best.wildcards) best = { hat, wildcards: rank };
    }
  }
  return best?.hat;
}
