import type { Diagnosis, ReportedResult } from '../results/schema.js';
import { authenticationError, backendError, configurationError, timeoutExceeded } from './rules/backend-rules.js';
import { endedOtherwise, neverRan } from './rules/ending-rules.js';
import { eventDropped, eventMalformed, eventMissing, ownEventMissing } from './rules/event-rules.js';
import { FailedCase } from './rules/failed-case.js';
import { baselineGreen, harnessError } from './rules/harness-rules.js';
import { assertionMismatch, memoryLost } from './rules/mismatch-rule.js';
import { notFollowed, notInjected, unparsedStream } from './rules/prompt-rules.js';
import { misrouted } from './rules/routing-rule.js';
import { type Explanation, type Rule, tellAssertion } from './rules/rule.js';

/** Causes before effects: an agent that was never asked writes no event, and a lost event changes the ending. */
const RULES: readonly Rule[] = [
  harnessError,
  baselineGreen,
  configurationError,
  timeoutExceeded,
  authenticationError,
  backendError,
  neverRan,
  unparsedStream,
  ownEventMissing,
  misrouted,
  eventMalformed,
  eventDropped,
  memoryLost,
  notInjected,
  eventMissing,
  notFollowed,
  endedOtherwise,
  assertionMismatch,
];

const UNKNOWN: Explanation = {
  hypothesis: 'Nothing that was seen says why this case failed.',
  evidence: [],
  investigations: ['Run the case alone, keep its workspace, and look at it.'],
  fixes: [],
};

/** Why a case failed, by rules that look at what was seen of it. */
export function diagnose(result: ReportedResult, expectedIterations: number): Diagnosis {
  const failed = new FailedCase(result, expectedIterations);
  for (const { type, explain } of RULES) {
    const explanation = explain(failed);
    if (explanation !== undefined) return toDiagnosis(type, explanation, failed);
  }
  return toDiagnosis('Unknown', UNKNOWN, failed);
}

function toDiagnosis(
  type: Diagnosis['failure_type'],
  { hypothesis, evidence, investigations, fixes }: Explanation,
  { failures, result }: FailedCase,
): Diagnosis {
  const green = type === 'BaselineGreen' ? [] : result.baselines.filter(({ red }) => !red);
  return {
    failure_type: type,
    root_cause_hypothesis: hypothesis,
    evidence: [
      ...new Set([
        ...failures.map(tellAssertion),
        ...evidence,
        ...green.map(({ condition }) => `the baseline "${condition}" did not fail either`),
      ]),
    ],
    similar_failures: [],
    suggested_investigations: [...investigations],
    potential_fixes: [...fixes],
    source: 'rules',
  };
}

/** The diagnoses with each other's cases in them: failed in the same way, on the same kind of assertion. */
export function findSimilar(results: readonly ReportedResult[]): ReportedResult[] {
  return results.map((result) => {
    if (result.diagnosis === undefined) return result;
    const similar = results.filter((other) => other !== result && isSimilar(result, other));
    return {
      ...result,
      diagnosis: { ...result.diagnosis, similar_failures: similar.map(({ scenario_id: id }) => id) },
    };
  });
}

function isSimilar(a: ReportedResult, b: ReportedResult): boolean {
  if (b.diagnosis === undefined || a.diagnosis?.failure_type !== b.diagnosis.failure_type) return false;
  const kinds = failedKinds(a);
  return failedKinds(b).some((kind) => kinds.includes(kind)) || (kinds.length === 0 && failedKinds(b).length === 0);
}

/** The failed assertions without what only this case has: numbers and quotations. */
export function failedKinds({ assertions }: ReportedResult): string[] {
  return assertions
    .filter(({ passed }) => !passed)
    .map(({ name }) => name.replace(/"[\s\S]*"/g, '"…"').replace(/\d+/g, 'N'));
}
