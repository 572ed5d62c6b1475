import { stripVTControlCharacters } from 'node:util';
import type { LoopEvent } from './events.js';

/** So often is a task tried. */
export const BLOCKS_UNTIL_ABANDONED = 3;

/** How often each task was blocked; the key is the task's first line. */
export type BlockCounts = Record<string, number>;

/** The checks that a payload does not show as passed. One `tests: fail` outweighs a `tests: pass`. */
export function missingEvidence(payload: string, wanted: readonly string[]): string[] {
  const claims = stripVTControlCharacters(payload)
    .split(/[\n,;]/)
    .map((claim) => /^[\s*-]*([\w-]+):\s*(\w*)/.exec(claim));
  return wanted.filter((check) => {
    const verdicts = claims.flatMap((claim) => (claim?.[1]?.toLowerCase() === check ? [claim[2]?.toLowerCase()] : []));
    return verdicts.length === 0 || verdicts.some((verdict) => verdict !== 'pass' && verdict !== 'passed');
  });
}

/**
 * Work is done when it is shown to be done: a `build.done` without evidence becomes a
 * `build.blocked`, and a task that was blocked three times is abandoned.
 */
export function applyBackpressure(
  events: readonly LoopEvent[],
  handled: readonly LoopEvent[],
  evidence: readonly string[],
  counts: BlockCounts,
): { events: LoopEvent[]; counts: BlockCounts } {
  const next = { ...counts };
  const result: LoopEvent[] = [];
  for (const event of events) {
    const blocked = event.topic === 'build.done' ? withoutEvidence(event, handled, evidence) : event;
    result.push(blocked);
    if (blocked.topic !== 'build.blocked') continue;
    const task = taskOf(blocked, handled);
    next[task] = (next[task] ?? 0) + 1;
    if (next[task] === BLOCKS_UNTIL_ABANDONED) {
      const payload = `${task}\nblocked ${BLOCKS_UNTIL_ABANDONED} times`;
      result.push({
        topic: 'build.task.abandoned',
        payload,
        ts: event.ts,
        ...(event.source === undefined ? {} : { source: event.source }),
      });
    }
  }
  return { events: result, counts: next };
}

function withoutEvidence(event: LoopEvent, handled: readonly LoopEvent[], evidence: readonly string[]): LoopEvent {
  const missing = missingEvidence(event.payload, evidence);
  if (missing.length === 0) return event;
  const wanted = missing.map((check) => `\`${check}: pass\``).join(', ');
  const { target: _, ...rest } = event;
  return {
    ...rest,
    topic: 'build.blocked',
    payload: `${taskOf(event, handled)}\nbuild.done lacks evidence: ${wanted}`,
  };
}

/** The task that an event speaks of: what was being worked on, else the event's own first line. */
export function taskOf(event: LoopEvent, handled: readonly LoopEvent[]): string {
  const worked = handled.find(({ topic }) => topic === 'build.task' || topic === 'build.blocked');
  return (worked ?? event).payload.split('\n')[0]?.trim() ?? '';
}
