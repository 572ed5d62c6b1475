import type { CheckSubject } from '../checks/result.js';
import { checksOf, type EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { quote } from './quote.js';
import { sentenceWith, spokenIn } from './spoken.js';

type Loophole = NonNullable<RunResult['loopholes']>[number];

type Kinds = CheckSubject['kind'];

/** A way to pass without doing the work. */
interface Kind {
  title: string;
  pattern: string;
  /** Where it was observed in an entry. */
  seen(result: EntryResult): string[];
  suggestedCounter: string;
  /** A name for a test that closes it. */
  newTest(id: string): string;
}

const FILES: readonly Kinds[] = ['file'];
const EFFECTS: readonly Kinds[] = ['event', 'file', 'commit'];

const ACKNOWLEDGES = /\b(?:as the [\w-]+, I (?:will|shall)|I understand|understood|I acknowledge|I am the [\w-]+)\b/i;
const CLAIMS =
  /\b(?:(?:it|the file|everything|all of it) (?:is|was|has been) (?:written|created|saved|done|updated)|I (?:have )?(?:wrote|written|created|saved|updated))\b/i;

const KINDS: readonly Kind[] = [
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
  {
    title: 'The loop completes without the work',
    pattern: 'The loop ended as completed, while events or files that the task asks for are missing.',
    seen: (result) => (result.context?.termination_reason === 'completed' ? failedOf(result, EFFECTS) : []),
    suggestedCounter: 'list the events that a promise needs (event_loop.required_events)',
    newTest: (id) => `${id}-promise-needs-work`,
  },
  {
    title: 'Work is accepted without evidence',
    pattern: 'build.done was published without saying that the tests pass.',
    seen: (result) => (result.status === 'failed' ? unproven(result) : []),
    suggestedCounter: 'let the orchestrator publish build.blocked instead',
    newTest: (id) => `${id}-evidence-required`,
  },
  {
    title: 'A case passes without the thing under test',
    pattern: 'A baseline, which takes the thing under test away, did not fail.',
    seen: (result) =>
      (result.baselines ?? [])
        .filter(({ red }) => !red)
        .map(
          ({ condition, still_green: names }) => `without it ("${condition}") these did not fail: ${names.join('; ')}`,
        ),
    suggestedCounter: 'check something that only the thing under test can bring about',
    newTest: (id) => `${id}-needs-its-subject`,
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
function failedOf(entry: EntryResult, kinds: readonly Kinds[]): string[] {
  return checksOf(entry)
    .filter(({ status, subject }) => status === 'failed' && kinds.includes(subject.kind) && isWanted(subject))
    .map(({ name }) => `this failed: ${name}`);
}

function isWanted(subject: CheckSubject): boolean {
  return !('wanted' in subject) || subject.wanted;
}

function unproven({ context }: EntryResult): string[] {
  return (context?.events_emitted ?? [])
    .filter(({ topic, payload }) => topic === 'build.done' && !/tests:\s*pass/.test(payload))
    .map(({ payload }) => `build.done was published with ${quote(payload)}`);
}

/** The loopholes that a run has shown. */
export function findLoopholes(entries: readonly EntryResult[]): Loophole[] {
  return KINDS.flatMap(({ title, pattern, seen, suggestedCounter, newTest }) => {
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
