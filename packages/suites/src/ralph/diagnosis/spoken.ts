import type { EntryResult, Spoken } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';

/** A text that an agent said in an iteration, and whether it wrote an event in it. */
export interface LoopSpoken extends Spoken {
  iteration?: number;
  /** Absent where it is not known. */
  wroteEvent?: boolean;
}

/** What the agents of an entry said: by step, by iteration, or, without a record of iterations, all that was printed. */
export function spokenInLoop(entry: Pick<EntryResult, 'steps' | 'context'>): LoopSpoken[] {
  const { steps } = entry;
  const context = contextOf(entry);
  const said = steps.map((step) => ({ text: step.said }));
  if (context === undefined) return said;
  if (context.iterations.length === 0) return [...said, { text: context.stdout }];
  return context.iterations.map(({ iteration, output, events_written: events }) => ({
    iteration,
    text: output ?? '',
    wroteEvent: events.length > 0,
  }));
}
