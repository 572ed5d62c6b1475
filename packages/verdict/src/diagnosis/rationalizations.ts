import type { CheckSubject } from '../checks/result.js';
import { checksOf, type EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { sentenceWith, spokenIn } from './spoken.js';
import { type Excuse, suitesOf } from './suite.js';

type Rationalization = NonNullable<RunResult['rationalizations']>[number];

const EXCUSES: readonly Excuse[] = [
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

/** The first check that contradicts an agent. */
export function firstFailure(entry: EntryResult): string {
  const failed = checksOf(entry).find(({ status }) => status === 'failed');
  return failed === undefined ? 'the test failed' : `this failed: ${failed.name}`;
}

/** What agents said instead of doing it. */
export function findRationalizations(entries: readonly EntryResult[]): Rationalization[] {
  const excuses = [...suitesOf(entries).flatMap((suite) => suite.excuses), ...EXCUSES];
  return entries.flatMap((entry) => {
    const rows = spokenIn(entry).flatMap((spoken) =>
      excuses.flatMap(({ says, reality, action }): Rationalization[] => {
        const rationalization = sentenceWith(spoken.text, says);
        const fact = rationalization === undefined ? undefined : reality(entry, spoken);
        if (rationalization === undefined || fact === undefined) return [];
        return [{ test: entry.id, rationalization, reality: fact, action }];
      }),
    );
    // The same excuse again and again is one excuse.
    return rows.filter((row, index) => rows.findIndex((other) => same(row, other)) === index);
  });
}

function same(a: Rationalization, b: Rationalization): boolean {
  return a.rationalization === b.rationalization && a.action === b.action;
}
