import { stripVTControlCharacters } from 'node:util';
import type { LoopEvent } from './events.js';

/** How often a task is tried. */
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
 * Work counts as done only with evidence: a `build.done` without it becomes a `build.blocked`, and a task that was
 * blocked three times is abandoned.
 */
export class Backpressure {
  readonly #evidence: readonly string[];
  /** How often each task was blocked; the key is the task's first line. */
  readonly #blocks = new Map<string, number>();

  constructor(evidence: readonly string[]) {
    this.#evidence = evidence;
  }

  /** What is published for the events that an iteration wrote. */
  apply(written: readonly LoopEvent[], handled: readonly LoopEvent[]): LoopEvent[] {
    return written.flatMap((event) => {
      const task = taskOf(event, handled);
      const result = event.topic === 'build.done' ? this.#withEvidence(event, task) : event;
      if (result.topic !== 'build.blocked') return [result];
      const blocks = (this.#blocks.get(task) ?? 0) + 1;
      this.#blocks.set(task, blocks);
      if (blocks !== BLOCKS_UNTIL_ABANDONED) return [result];
      return [result, withTopic(result, 'build.task.abandoned', `${task}\nblocked ${blocks} times`)];
    });
  }

  /** Whether an event starts a task that was abandoned. */
  isAbandoned(event: LoopEvent): boolean {
    return (this.#blocks.get(taskOf(event, [])) ?? 0) >= BLOCKS_UNTIL_ABANDONED;
  }

  #withEvidence(event: LoopEvent, task: string): LoopEvent {
    const missing = missingEvidence(event.payload, this.#evidence);
    if (missing.length === 0) return event;
    const wanted = missing.map((check) => `\`${check}: pass\``).join(', ');
    return withTopic(event, 'build.blocked', `${task}\nbuild.done lacks evidence: ${wanted}`);
  }
}

/** The event under another topic, without its target. */
function withTopic({ target: _, ...event }: LoopEvent, topic: string, payload: string): LoopEvent {
  return { ...event, topic, payload };
}

/** The task of an event: the one that was being worked on, else the first line of the event. */
function taskOf(event: LoopEvent, handled: readonly LoopEvent[]): string {
  const worked = handled.find(({ topic }) => topic === 'build.task' || topic === 'build.blocked');
  return (worked ?? event).payload.split('\n')[0]?.trim() ?? '';
}
