import type { EntryResult } from '../results/entry-result.js';
import type { Diagnosis } from '../results/sections.js';
import { quote } from './quote.js';
import { authenticationError, backendError, configurationError, timeoutExceeded } from './rules/backend-rules.js';
import { contractBroken } from './rules/contract-rule.js';
import {
  changeMissing,
  hookMismatch,
  pluginLoadError,
  requestUnanswered,
  ruleUnused,
  standInRefused,
  toolNotUsed,
  workflowStuck,
} from './rules/conversation-rules.js';
import { endedOtherwise, neverRan, silentRun } from './rules/ending-rules.js';
import { eventDropped, eventMalformed, eventMissing, eventUnlogged, ownEventMissing } from './rules/event-rules.js';
import { FailedEntry } from './rules/failed-entry.js';
import { baselineGreen, harnessError, notJudged, triedOutside } from './rules/harness-rules.js';
import { assertionMismatch, memoryLost } from './rules/mismatch-rule.js';
import { programFailed, serviceCalled } from './rules/program-rules.js';
import { notFollowed, notInjected, unparsedStream } from './rules/prompt-rules.js';
import { misrouted } from './rules/routing-rule.js';
import { describeFailure, type Explanation, type Rule } from './rules/rule.js';
import { promptBlocked, turnFailed, turnTimedOut, unknownCommand } from './rules/turn-rules.js';

/** Causes before effects: an agent that was never asked writes no event, and a rule that matched nothing runs no tool. */
const RULES: readonly Rule[] = [
  harnessError,
  notJudged,
  baselineGreen,
  triedOutside,
  contractBroken,
  silentRun,
  // Programs that call agents.
  configurationError,
  timeoutExceeded,
  authenticationError,
  backendError,
  neverRan,
  unparsedStream,
  eventUnlogged,
  ownEventMissing,
  misrouted,
  eventMalformed,
  eventDropped,
  memoryLost,
  notInjected,
  eventMissing,
  notFollowed,
  endedOtherwise,
  // Conversations.
  pluginLoadError,
  unknownCommand,
  standInRefused,
  requestUnanswered,
  promptBlocked,
  turnTimedOut,
  turnFailed,
  serviceCalled,
  programFailed,
  hookMismatch,
  ruleUnused,
  toolNotUsed,
  workflowStuck,
  changeMissing,
  assertionMismatch,
];

const UNKNOWN: Explanation = {
  hypothesis: 'Nothing that was observed says why this test failed.',
  evidence: [],
  investigations: ['Run the test alone, keep its workspace, and look at it.'],
  fixes: [],
};

/** Why an entry failed, by rules over what was observed of it. */
export function diagnose(result: EntryResult): Diagnosis {
  const failed = new FailedEntry(result);
  for (const { type, explain } of RULES) {
    const explanation = explain(failed);
    if (explanation !== undefined) return toDiagnosis(type, explanation, failed);
  }
  return toDiagnosis('Unknown', UNKNOWN, failed);
}

function toDiagnosis(
  type: Diagnosis['failure_type'],
  { hypothesis, evidence, investigations, fixes }: Explanation,
  { failures, result }: FailedEntry,
): Diagnosis {
  const green = type === 'BaselineGreen' ? [] : (result.baselines ?? []).filter(({ red }) => !red);
  return {
    failure_type: type,
    root_cause_hypothesis: hypothesis,
    evidence: [
      ...new Set([
        ...failures.map(describeFailure),
        ...evidence,
        ...kiroCaveat(result),
        ...green.map(({ condition }) => `the baseline "${condition}" did not fail either`),
      ]),
    ],
    similar_failures: [],
    suggested_investigations: [...investigations],
    potential_fixes: [...fixes],
    source: 'rules',
  };
}

const KIRO_TRAILER = /^\s*▸ Credits: /m;

/**
 * Where Kiro writes its line of credits is known from its documentation alone. A loop that reads it as the last words of
 * the agent fails on the stand-in; on a real Kiro it may not.
 */
function kiroCaveat({ stage, context }: EntryResult): string[] {
  if (stage !== 'sim' || context === undefined || context.termination_reason === 'completed') return [];
  const rests = context.iterations.find(
    ({ backend, promised, failed, stderr }) =>
      backend === 'kiro' && promised && failed !== true && KIRO_TRAILER.test(stderr ?? ''),
  );
  if (rests === undefined) return [];
  return [
    `iteration ${rests.iteration} ended with the promise, and then wrote ${quote(stderrTrailer(rests.stderr))} to stderr: ` +
      'where Kiro writes this line is known from its documentation alone, and no real Kiro was seen. ' +
      'If it is what hides the promise, a real Kiro must show whether this is a failure.',
  ];
}

function stderrTrailer(stderr = ''): string {
  return stderr.split('\n').find((line) => KIRO_TRAILER.test(line)) ?? '';
}
