import type { CheckSubject } from '../checks/result.js';
import { checksOf, type EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { quote } from './quote.js';
import { sentenceWith, spokenIn } from './spoken.js';
import { type LoopholeKind, suitesOf } from './suite.js';

type Loophole = NonNullable<RunResult['loopholes']>[number];

type Kinds = CheckSubject['kind'];

const FILES: readonly Kinds[] = ['file'];
/** What work leaves. */
export const EFFECTS: readonly Kinds[] = ['event', 'file', 'commit'];

const ACKNOWLEDGES = /\b(?:as the [\w-]+, I (?:will|shall)|I understand|understood|I acknowledge|I am the [\w-]+)\b/i;
const CLAIMS =
  /\b(?:(?:it|the file|everything|all of it) (?:is|was|has been) (?:written|created|saved|done|updated)|I (?:have )?(?:wrote|written|created|saved|updated))\b/i;

const KINDS: readonly LoopholeKind[] = [
  {
    title: 'Instructions are acknowledged and not followed',
    pattern: 'The agent says who it is or what it will do, and what follows from it is missing.',
    seen: (result) => contradictedClaims(result, ACKNOWLEDGES, EFFECTS),
    suggestedCounter: 'check for a change of behavior (an event, a file), never for the acknowledgement alone',
    newTest: (id) => `${id}-acts-on-it`,
  },
  {
    title: 'Work is claimed and not done',
    pattern: 'The agent says that something is written, and it is not there.',
    seen: (result) => contradictedClaims(result, CLAIMS, FILES),
    suggestedCounter: 'trust the workspace, not the agent: look at the file',
    newTest: (id) => `${id}-file-not-claim`,
  },
];

/** Words of an agent that failed checks about these subjects contradict. */
function contradictedClaims(entry: EntryResult, claim: RegExp, kinds: readonly Kinds[]): string[] {
  const failed = failedOf(entry, kinds);
  if (failed.length === 0) return [];
  return spokenIn(entry).flatMap(({ text }) => {
    const sentence = sentenceWith(text, claim);
    return sentence === undefined ? [] : [`it said ${quote(sentence)}, but ${failed.join('; ')}`];
  });
}

/** Checks for something that should be there, and is not. */
export function failedOf(entry: EntryResult, kinds: readonly Kinds[]): string[] {
  return checksOf(entry)
    .filter(({ status, subject }) => status === 'failed' && kinds.includes(subject.kind) && isWanted(subject))
    .map(({ name }) => `this failed: ${name}`);
}

function isWanted(subject: CheckSubject): boolean {
  return !('wanted' in subject) || subject.wanted;
}

/** The loopholes that a run has shown. */
export function findLoopholes(entries: readonly EntryResult[]): Loophole[] {
  const kinds = [...KINDS, ...suitesOf(entries).flatMap(({ loopholes }) => loopholes)];
  return kinds.flatMap(({ title, pattern, seen, suggestedCounter, newTest }) => {
    const found = entries.flatMap((entry) => seen(entry).map((evidence) => ({ entry, evidence })));
    const [first] = found;
    if (first === undefined) return [];
    return [
      {
        title,
        pattern,
        evidence: found.map(({ entry, evidence }) => `${entry.id}: ${evidence}`),
        affected_tests: [...new Set(found.map(({ entry }) => entry.id))],
        suggested_counter: suggestedCounter,
        new_test: newTest(first.entry.case?.id ?? first.entry.id),
      },
    ];
  });
}
