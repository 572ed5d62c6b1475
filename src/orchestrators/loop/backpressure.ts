import { stripVTControlCharacters } from 'node:util';
import type { LoopEvent } from './events.js';

/** So often is a task tried. */
const BLOCKS_UNTIL_ABANDONED = 3;

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
export class Backpressure {
  readonly #evidence: readonly string[];
  /** How often each task was blocked; the key is the task's first line. */
  readonly #blocks = new Map<string, number>();

  constructor(evidence: readonly string[]) {
    this.#evidence = evidence;
  }

  /** What comes of the events that were written while others were handled. */
  apply(written: readonly LoopEvent[], handled: readonly LoopEvent[]): LoopEvent[] {
    return written.flatMap((event) => {
      const task = taskOf(event, handled);
      const result = event.topic === 'build.done' ? this.#withEvidence(event, task) : event;
      if (result.topic !== 'build.blocked') return [result];
      const blocks = (this.#blocks.get(task) ?? 0) + 1;
      this.#blocks.set(task, blocks);
      if (blocks !== BLOCKS_UNTIL_ABANDONED) return [result];
      return [result, retold(result, 'build.task.abandoned', `${task}\nblocked ${blocks} times`)];
    });
  }

  /** Nobody is to work any more on a task that was given up. */
  isAbandoned(event: LoopEvent): boolean {
    return (this.#blocks.get(taskOf(event, [])) ?? 0) >= BLOCKS_UNTIL_ABANDONED;
  }

  #withEvidence(event: LoopEvent, task: string): LoopEvent {
    const missing = missingEvidence(event.payload, this.#evidence);
    if (missing.length === 0) return event;
    const wanted = missing.map((check) => `\`${check}: pass\``).join(', ');
    return retold(event, 'build.blocked', `${task}\nbuild.done lacks evidence: ${wanted}`);
  }
}

/** The event under another name; whoever it was for, this is for everybody. */
function retold({ target: _, ...event }: LoopEvent, topic: string, payload: string): LoopEvent {
  return { ...event, topic, payload };
}

/** The task that an event speaks of: what was being worked on, else the event's own first line. */
function taskOf(event: LoopEvent, handled: readonly LoopEvent[]): string {
  const worked = handled.find(({ topic }) => topic === 'build.task' || topic === 'build.blocked');
  return (worked ?? event).payload.split('\n')[0]?.trim() ?? '';
}
