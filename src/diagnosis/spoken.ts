import type { ReportedContext } from '../results/schema.js';

/** What the agents of a case said, iteration by iteration; where there is no record of iterations, all that was printed. */
export function spokenBy(context: ReportedContext): { iteration: number | undefined; text: string }[] {
  if (context.iterations.length === 0) return [{ iteration: undefined, text: context.stdout }];
  return context.iterations.map(({ iteration, output }) => ({ iteration, text: output ?? '' }));
}

/** The first sentence in which a pattern is found. */
export function sentenceWith(text: string, pattern: RegExp): string | undefined {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .find((sentence) => pattern.test(sentence));
}
