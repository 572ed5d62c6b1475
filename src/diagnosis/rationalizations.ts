import { parseEvents } from '../orchestrators/loop/events.js';
import type { ReportedResult, SuiteReport } from '../results/schema.js';
import { sentenceWith, spokenBy } from './spoken.js';

type Rationalization = SuiteReport['rationalizations'][number];

/** What one agent said, and what came of the case in which it said it. */
interface Spoken {
  result: ReportedResult;
  text: string;
}

/** A kind of excuse. It is one only where reality contradicts it. */
interface Excuse {
  says: RegExp;
  /** What was the case instead; undefined when nothing contradicts the agent. */
  reality(spoken: Spoken): string | undefined;
  action: string;
}

const EXCUSES: readonly Excuse[] = [
  {
    says: /\bscratchpad\b.*\b(?:later|afterwards|at the end)\b|\b(?:later|afterwards)\b.*\bscratchpad\b/i,
    reality: ({ result }) =>
      (result.context?.scratchpad_after ?? '').trim() === '' ? 'the scratchpad was empty at the end' : undefined,
    action: 'fail the case when the scratchpad is empty',
  },
  {
    says: /\b(?:tests?|lint|type ?checks?|checks?|it|everything)\b.*\b(?:should (?:pass|work|be fine)|(?:is|are) implied|presumably)\b/i,
    reality: ({ result }) => (evidenceMissing(result) ? 'no event that was published says `tests: pass`' : undefined),
    action: 'accept build.done only with its evidence in words',
  },
  {
    says: /\b(?:complet\w+|done|finished)\b.*\b(?:is|are|seems?) (?:obvious|clear|implied|evident)\b|\bobviously (?:done|complete|finished)\b/i,
    reality: ({ result: { context } }) =>
      context?.termination_reason === 'completed'
        ? undefined
        : `the loop ended: ${context?.termination_reason ?? 'no record of it'}`,
    action: 'ask for the promise as the last line, and for nothing else',
  },
  {
    says: /\b(?:as|my role as) (?:the|a) [\w-]+, I (?:will|shall|would)\b|\bI understand (?:my role|the instructions|what is asked)\b/i,
    reality: ({ result, text }) =>
      result.status === 'failed' && parseEvents(text).length === 0
        ? `it wrote no event, and ${firstFailure(result)}`
        : undefined,
    action: 'assert what the agent does, not that it knows its role',
  },
  {
    says: /\b(?:not necessary|unnecessary|no need|not needed|not required|can be skipped)\b/i,
    reality: ({ result }) => (agentFailed(result) ? firstFailure(result) : undefined),
    action: 'say in the instructions that this step is required',
  },
  {
    says: /\b(?:instructions?|rules?|guidelines?)\b.*\b(?:suggestions?|optional|only a guide)\b/i,
    reality: ({ result }) => (agentFailed(result) ? firstFailure(result) : undefined),
    action: 'word the instructions as requirements',
  },
];

/** Assertions that depend on what the agent does. */
const BY_AGENT = ['OutputContains', 'EventEmitted', 'EventPayload', 'FileCreated', 'FileContains'];

function agentFailed({ assertions }: ReportedResult): boolean {
  return assertions.some(({ passed, category }) => !passed && BY_AGENT.includes(category));
}

function firstFailure({ assertions }: ReportedResult): string {
  const failed = assertions.find(({ passed }) => !passed);
  return failed === undefined ? 'the case failed' : `this failed: ${failed.name}`;
}

/** Work was reported as done, and no event has the evidence. */
function evidenceMissing({ context }: ReportedResult): boolean {
  const events = context?.events_emitted ?? [];
  const built = events.some(({ topic }) => topic.startsWith('build.'));
  return built && !events.some(({ topic, payload }) => topic === 'build.done' && /tests:\s*pass/.test(payload));
}

/** What agents said in place of doing it. */
export function findRationalizations(results: readonly ReportedResult[]): Rationalization[] {
  return results.flatMap((result) => {
    if (result.context === undefined) return [];
    const rows = spokenBy(result.context).flatMap(({ text }) =>
      EXCUSES.flatMap(({ says, reality, action }): Rationalization[] => {
        const rationalization = sentenceWith(text, says);
        const seen = rationalization === undefined ? undefined : reality({ result, text });
        if (rationalization === undefined || seen === undefined) return [];
        return [{ test: result.scenario_id, rationalization, reality: seen, action }];
      }),
    );
    // The same excuse in every iteration is one excuse.
    return rows.filter((row, index) => rows.findIndex((other) => same(row, other)) === index);
  });
}

function same(a: Rationalization, b: Rationalization): boolean {
  return a.rationalization === b.rationalization && a.action === b.action;
}
