import type { CheckSubject } from '../checks/result.js';
import { checksOf, type EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { type Spoken, sentenceWith, spokenIn } from './spoken.js';

type Rationalization = NonNullable<RunResult['rationalizations']>[number];

/** A kind of excuse. It is one only where the facts contradict it. */
interface Excuse {
  says: RegExp;
  /** What was the case instead; undefined when nothing contradicts the agent. */
  reality(entry: EntryResult, spoken: Spoken): string | undefined;
  action: string;
}

const EXCUSES: readonly Excuse[] = [
  {
    says: /\bscratchpad\b.*\b(?:later|afterwards|at the end)\b|\b(?:later|afterwards)\b.*\bscratchpad\b/i,
    reality: ({ context }) =>
      context !== undefined && (context.scratchpad_after ?? '').trim() === ''
        ? 'the scratchpad was empty at the end'
        : undefined,
    action: 'fail the case when the scratchpad is empty',
  },
  {
    says: /\b(?:tests?|lint|type ?checks?|checks?|it|everything)\b.*\b(?:should (?:pass|work|be fine)|(?:is|are) implied|presumably)\b/i,
    reality: (entry) => (evidenceMissing(entry) ? 'no event that was published says `tests: pass`' : undefined),
    action: 'accept build.done only with its evidence',
  },
  {
    says: /\b(?:complet\w+|done|finished)\b.*\b(?:is|are|seems?) (?:obvious|clear|implied|evident)\b|\bobviously (?:done|complete|finished)\b/i,
    reality: ({ context }) =>
      context === undefined || context.termination_reason === 'completed'
        ? undefined
        : `the loop ended: ${context.termination_reason ?? 'no record of it'}`,
    action: 'ask for the promise as the last line, and for nothing else',
  },
  {
    says: /\b(?:as|my role as) (?:the|a) [\w-]+, I (?:will|shall|would)\b|\bI understand (?:my role|the instructions|what is asked)\b/i,
    reality: (entry, { wroteEvent }) =>
      entry.status === 'failed' && wroteEvent === false ? `it wrote no event, and ${firstFailure(entry)}` : undefined,
    action: 'check what the agent does, not that it knows its role',
  },
  {
    says: /\b(?:not necessary|unnecessary|no need|not needed|not required|can be skipped)\b/i,
    reality: (entry) => (agentFailed(entry) ? firstFailure(entry) : undefined),
    action: 'say in the instructions that this step is required',
  },
  {
    says: /\b(?:instructions?|rules?|guidelines?)\b.*\b(?:suggestions?|optional|only a guide)\b/i,
    reality: (entry) => (agentFailed(entry) ? firstFailure(entry) : undefined),
    action: 'word the instructions as requirements',
  },
];

/** What depends on the agent's actions. */
const BY_AGENT: readonly CheckSubject['kind'][] = ['output', 'event', 'file', 'commit', 'tool'];

function agentFailed(entry: EntryResult): boolean {
  return checksOf(entry).some(({ status, subject }) => status === 'failed' && BY_AGENT.includes(subject.kind));
}

function firstFailure(entry: EntryResult): string {
  const failed = checksOf(entry).find(({ status }) => status === 'failed');
  return failed === undefined ? 'the test failed' : `this failed: ${failed.name}`;
}

/** Work was reported as done, and no event has the evidence. */
function evidenceMissing({ context }: EntryResult): boolean {
  const events = context?.events_emitted ?? [];
  const built = events.some(({ topic }) => topic.startsWith('build.'));
  return built && !events.some(({ topic, payload }) => topic === 'build.done' && /tests:\s*pass/.test(payload));
}

/** What agents said instead of doing it. */
export function findRationalizations(entries: readonly EntryResult[]): Rationalization[] {
  return entries.flatMap((entry) => {
    const rows = spokenIn(entry).flatMap((spoken) =>
      EXCUSES.flatMap(({ says, reality, action }): Rationalization[] => {
        const rationalization = sentenceWith(spoken.text, says);
        const fact = rationalization === undefined ? undefined : reality(entry, spoken);
        if (rationalization === undefined || fact === undefined) return [];
        return [{ test: entry.id, rationalization, reality: fact, action }];
      }),
    );
    // The same excuse in every iteration is one excuse.
    return rows.filter((row, index) => rows.findIndex((other) => same(row, other)) === index);
  });
}

function same(a: Rationalization, b: Rationalization): boolean {
  return a.rationalization === b.rationalization && a.action === b.action;
}
