import type { EntryResult } from '../results/entry-result.js';

/** A text that an agent said, and whether it wrote an event in it. */
export interface Spoken {
  iteration?: number;
  text: string;
  /** Absent where it is not known. */
  wroteEvent?: boolean;
}

/** What the agents of an entry said: by step, by iteration, or, without a record of iterations, all that was printed. */
export function spokenIn({ steps, context }: Pick<EntryResult, 'steps' | 'context'>): Spoken[] {
  const said = steps.map((step) => ({ text: step.said }));
  if (context === undefined) return said;
  if (context.iterations.length === 0) return [...said, { text: context.stdout }];
  return context.iterations.map(({ iteration, output, events_written: events }) => ({
    ...{ iteration, text: output ?? '', wroteEvent: events.length > 0 },
  }));
}

/** The first sentence in which a pattern is found. */
export function sentenceWith(text: string, pattern: RegExp): string | undefined {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .find((sentence) => pattern.test(sentence));
}
