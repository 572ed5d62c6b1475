import type { ReportedResult, SuiteReport } from '../results/schema.js';
import { quote } from './quote.js';
import { sentenceWith, spokenBy } from './spoken.js';

type Loophole = SuiteReport['loopholes'][number];

/** A way to pass without doing it, or to be let through. */
interface Kind {
  title: string;
  pattern: string;
  /** What of it was seen in a case. */
  seen(result: ReportedResult): string[];
  suggestedCounter: string;
  /** What a case is called that closes it. */
  newTest(caseId: string): string;
}

const ACKNOWLEDGES = /\b(?:as the [\w-]+, I (?:will|shall)|I understand|understood|I acknowledge|I am the [\w-]+)\b/i;
const CLAIMS =
  /\b(?:(?:it|the file|everything|all of it) (?:is|was|has been) (?:written|created|saved|done|updated)|I (?:have )?(?:wrote|written|created|saved|updated))\b/i;

const KINDS: readonly Kind[] = [
  {
    title: 'Instructions are acknowledged and not followed',
    pattern: 'The agent says who it is or what it will do, and what follows from it is missing.',
    seen: (result) => saidInVain(result, ACKNOWLEDGES, ['EventEmitted', 'EventPayload', 'FileCreated', 'FileContains']),
    suggestedCounter: 'assert a change of behavior (an event, a file), never the acknowledgement alone',
    newTest: (id) => `${id}-acts-on-it`,
  },
  {
    title: 'A deed is claimed and not done',
    pattern: 'The agent says that something is written, and it is not there.',
    seen: (result) => saidInVain(result, CLAIMS, ['FileCreated', 'FileContains']),
    suggestedCounter: 'believe the workspace, not the agent: look at the file',
    newTest: (id) => `${id}-file-not-claim`,
  },
  {
    title: 'The loop completes without the work',
    pattern: 'The loop ended as completed, while events or files that the task asks for are missing.',
    seen: (result) =>
      result.context?.termination_reason === 'completed'
        ? failedOf(result, ['EventEmitted', 'EventPayload', 'FileCreated', 'FileContains'])
        : [],
    suggestedCounter: 'list the events without which no promise is accepted (event_loop.required_events)',
    newTest: (id) => `${id}-promise-needs-work`,
  },
  {
    title: 'Work is accepted without evidence',
    pattern: 'build.done was published without saying that the tests pass.',
    seen: (result) => (result.status === 'failed' ? unproven(result) : []),
    suggestedCounter: 'let the orchestrator publish build.blocked in its place',
    newTest: (id) => `${id}-evidence-required`,
  },
  {
    title: 'A case passes without the thing that it tests',
    pattern: 'A baseline, in which the thing under test is taken away, stayed green.',
    seen: (result) =>
      result.baselines
        .filter(({ red }) => !red)
        .map(
          ({ condition, still_green: names }) => `without it ("${condition}") these still held: ${names.join('; ')}`,
        ),
    suggestedCounter: 'assert something that only the thing under test can bring about',
    newTest: (id) => `${id}-needs-its-subject`,
  },
];

/** Words of an agent to which assertions of some categories give the lie. */
function saidInVain(result: ReportedResult, pattern: RegExp, categories: readonly string[]): string[] {
  const failed = failedOf(result, categories);
  if (failed.length === 0 || result.context === undefined) return [];
  return spokenBy(result.context).flatMap(({ text }) => {
    const sentence = sentenceWith(text, pattern);
    return sentence === undefined ? [] : [`it said ${quote(sentence)}, but ${failed.join('; ')}`];
  });
}

function failedOf({ assertions }: ReportedResult, categories: readonly string[]): string[] {
  return assertions
    .filter(({ passed, category, expected }) => !passed && categories.includes(category) && !expected.startsWith('no '))
    .map(({ name }) => `this failed: ${name}`);
}

function unproven({ context }: ReportedResult): string[] {
  return (context?.events_emitted ?? [])
    .filter(({ topic, payload }) => topic === 'build.done' && !/tests:\s*pass/.test(payload))
    .map(({ payload }) => `build.done was published with ${quote(payload)}`);
}

/** The loopholes that a run has shown. */
export function findLoopholes(results: readonly ReportedResult[]): Loophole[] {
  return KINDS.flatMap(({ title, pattern, seen, suggestedCounter, newTest }) => {
    const found = results.flatMap((result) => seen(result).map((evidence) => ({ result, evidence })));
    const [first] = found;
    if (first === undefined) return [];
    return [
      {
        title,
        pattern,
        evidence: found.map(({ result, evidence }) => `${result.scenario_id}: ${evidence}`),
        suggested_counter: suggestedCounter,
        new_test: newTest(first.result.case_id),
      },
    ];
  });
}
