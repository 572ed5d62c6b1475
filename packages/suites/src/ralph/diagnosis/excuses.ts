import { type EntryResult, type Excuse, firstFailure } from '@understudy/verdict';
import { contextOf } from '../../orchestrators/context-schema.js';
import type { LoopSpoken } from './spoken.js';

/** What agents in a loop say instead of doing it. */
export const EXCUSES: readonly Excuse[] = [
  {
    says: /\bscratchpad\b.*\b(?:later|afterwards|at the end)\b|\b(?:later|afterwards)\b.*\bscratchpad\b/i,
    reality(entry) {
      const context = contextOf(entry);
      const isEmpty = context !== undefined && (context.scratchpad_after ?? '').trim() === '';
      return isEmpty ? 'the scratchpad was empty at the end' : undefined;
    },
    action: 'fail the case when the scratchpad is empty',
  },
  {
    says: /\b(?:tests?|lint|type ?checks?|checks?|it|everything)\b.*\b(?:should (?:pass|work|be fine)|(?:is|are) implied|presumably)\b/i,
    reality: (entry) => (evidenceMissing(entry) ? 'no event that was published says `tests: pass`' : undefined),
    action: 'accept build.done only with its evidence',
  },
  {
    says: /\b(?:complet\w+|done|finished)\b.*\b(?:is|are|seems?) (?:obvious|clear|implied|evident)\b|\bobviously (?:done|complete|finished)\b/i,
    reality(entry) {
      const context = contextOf(entry);
      if (context === undefined || context.termination_reason === 'completed') return undefined;
      return `the loop ended: ${context.termination_reason ?? 'no record of it'}`;
    },
    action: 'ask for the promise as the last line, and for nothing else',
  },
  {
    says: /\b(?:as|my role as) (?:the|a) [\w-]+, I (?:will|shall|would)\b|\bI understand (?:my role|the instructions|what is asked)\b/i,
    reality: (entry, { wroteEvent }: LoopSpoken) =>
      entry.status === 'failed' && wroteEvent === false ? `it wrote no event, and ${firstFailure(entry)}` : undefined,
    action: 'check what the agent does, not that it knows its role',
  },
];

/** Work was reported as done, and no event has the evidence. */
function evidenceMissing(entry: EntryResult): boolean {
  const events = contextOf(entry)?.events_emitted ?? [];
  const built = events.some(({ topic }) => topic.startsWith('build.'));
  return built && !events.some(({ topic, payload }) => topic === 'build.done' && /tests:\s*pass/.test(payload));
}
