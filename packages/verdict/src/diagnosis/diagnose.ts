import type { EntryResult } from '../results/entry-result.js';
import type { Diagnosis } from '../results/sections.js';
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
import { FailedEntry } from './rules/failed-entry.js';
import { harnessError, notJudged, triedOutside } from './rules/harness-rules.js';
import { assertionMismatch } from './rules/mismatch-rule.js';
import { programFailed, serviceCalled } from './rules/program-rules.js';
import { asEvidence, type DiagnosisRule, type Finding, firstFinding } from './rules/rule.js';
import { promptBlocked, turnFailed, turnTimedOut, unknownCommand } from './rules/turn-rules.js';
import { suiteOf } from './suite.js';

const OF_THE_HARNESS: readonly DiagnosisRule[] = [harnessError, notJudged, triedOutside];

/** Causes before effects: a rule that matched nothing runs no tool. */
const OF_CONVERSATIONS: readonly DiagnosisRule[] = [
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
];

const UNKNOWN: Finding = {
  type: 'Unknown',
  hypothesis: 'Nothing that was observed says why this test failed.',
  evidence: [],
  investigations: ['Run the test alone, keep its workspace, and look at it.'],
  fixes: [],
};

/** Why an entry failed, by rules over what was observed of it. */
export function diagnose(result: EntryResult): Diagnosis {
  const failed = new FailedEntry(result);
  const suite = suiteOf(result);
  const { type, hypothesis, evidence, investigations, fixes } =
    firstFinding(OF_THE_HARNESS, failed) ??
    suite?.explain(result) ??
    firstFinding(OF_CONVERSATIONS, failed) ??
    suite?.explainRest(result) ??
    firstFinding([assertionMismatch], failed) ??
    UNKNOWN;
  return {
    failure_type: type,
    root_cause_hypothesis: hypothesis,
    evidence: [...new Set([...failed.failures.map(asEvidence), ...evidence, ...(suite?.remarks(result, type) ?? [])])],
    similar_failures: [],
    suggested_investigations: [...investigations],
    potential_fixes: [...fixes],
    source: 'rules',
  };
}
