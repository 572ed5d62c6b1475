import type { EntryResult } from '../results/entry-result.js';
import { type Spoken, suiteOf } from './suite.js';

/** What the agents of an entry said, by step or as its suite knows it. */
export function spokenIn(entry: Pick<EntryResult, 'steps' | 'context'>): Spoken[] {
  return suiteOf(entry)?.spoken(entry) ?? entry.steps.map((step) => ({ text: step.said }));
}

/** The first sentence in which a pattern is found. */
export function sentenceWith(text: string, pattern: RegExp): string | undefined {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .find((sentence) => pattern.test(sentence));
}
