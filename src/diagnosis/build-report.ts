import { join } from 'node:path';
import type { StageName, SuiteCase } from '../orchestrators/case.js';
import type { Orchestrator } from '../orchestrators/orchestrator.js';
import type { CaseResult } from '../orchestrators/run-case.js';
import type { SuiteResult } from '../orchestrators/run-suite.js';
import { redactAll, redactor } from '../process/redact.js';
import { shellWord } from '../process/shell-word.js';
import type { ReportedResult, SuiteReport } from '../results/schema.js';
import { summarizeResults, tellVerdict } from '../results/summary.js';
import { diagnose, findSimilar } from './diagnose.js';
import { sequenceDifference } from './difference.js';
import { findLoopholes } from './loopholes.js';
import { findPatterns } from './patterns.js';
import { judgeQuality } from './quality.js';
import { suggestCommands } from './quick-fixes.js';
import { findRationalizations } from './rationalizations.js';
import { recommend } from './recommendations.js';

export interface ReportInput {
  suite: SuiteResult;
  orchestrator: Pick<Orchestrator, 'kind' | 'command' | 'version'>;
  stage: StageName;
  understudyVersion: string;
  /** The folder of all workspaces. */
  workspaceRoot: string;
  /** Workspaces of passed cases were kept, too. */
  keepWorkspaces: boolean;
  now: Date;
  /** Its secrets are taken out of the report; of some of its variables the report says whether they are set. */
  environment: NodeJS.ProcessEnv;
  os: string;
  node: string;
}

/** Variables that decide how agents sign in. */
const RELEVANT_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'KIRO_API_KEY',
  'OPENAI_API_KEY',
  'OPENCODE_CONFIG',
  'GEMINI_API_KEY',
  'RALPH_BIN',
];

/** A run as its report: what was seen, diagnosed and judged by rules, without secrets. */
export function buildReport(input: ReportInput): SuiteReport {
  const { suite, orchestrator, stage, environment, workspaceRoot } = input;
  // Before anything is concluded: a quotation may cut a secret in two, and half of one is not recognized.
  const redact = redactor(environment);
  const results = findSimilar(
    suite.results.map((result) => judge(redactAll(toReported(result), redact), result.case, stage)),
  );
  const loopholes = findLoopholes(results);
  const summary = summarizeResults(results);
  const command = orchestrator.command.map(shellWord).join(' ');
  const report: SuiteReport = {
    schema_version: 1,
    timestamp: input.now.toISOString(),
    duration_seconds: suite.milliseconds / 1000,
    understudy_version: input.understudyVersion,
    ralph_version: orchestrator.version,
    orchestrator: { kind: orchestrator.kind, version: orchestrator.version, command },
    stage,
    passed: suite.exitCode === 0,
    verdict: tellVerdict(results, suite.exitCode),
    exit_code: suite.exitCode,
    backends_tested: suite.backends.map((state) => ({ ...state })),
    environment: {
      os: input.os,
      node: input.node,
      ralph_binary: orchestrator.kind === 'ralph' ? (orchestrator.command[0] ?? '') : command,
      workspace: workspaceRoot,
      env_vars: Object.fromEntries(RELEVANT_VARIABLES.map((name) => [name, (environment[name] ?? '') !== ''])),
    },
    summary,
    results,
    patterns: findPatterns(results),
    rationalizations: findRationalizations(results),
    loopholes,
    recommendations: recommend(results, loopholes),
    quick_fix_commands: suggestCommands(results, stage, orchestrator.command, workspaceRoot),
    artifacts: artifactsOf(results, input),
    meta_analysis: { status: 'skipped', detail: 'no agent was asked', problems: [] },
  };
  return redactAll(report, redact);
}

function toReported(result: CaseResult): ReportedResult {
  const { case: suiteCase, context, assertions, status } = result;
  return {
    scenario_id: result.id,
    case_id: suiteCase.id,
    scenario_description: suiteCase.description,
    backend: result.backend,
    tier: suiteCase.tier,
    status,
    passed: status === 'passed',
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    harness_error: result.harnessError === true,
    duration_seconds: result.milliseconds / 1000,
    assertions: assertions.map(toReportedAssertion),
    baselines: result.baselines.map(({ condition, expectedFailure, whyItMatters, red, green }) => ({
      condition,
      expected_failure: expectedFailure,
      why_it_matters: whyItMatters,
      red,
      still_green: [...green],
    })),
    pressure_factors: (suiteCase.pressure ?? []).map(({ name, description, whyPressure }) => ({
      name,
      description,
      why_pressure: whyPressure,
    })),
    quality_criteria: (suiteCase.quality ?? []).map((criterion) => ({ ...criterion })),
    ...(context === undefined ? {} : { context }),
  };
}

/** Why it failed, or how well it passed. */
function judge(result: ReportedResult, { expectedIterations }: SuiteCase, stage: StageName): ReportedResult {
  const { status, context, duration_seconds: seconds } = result;
  if (status === 'failed') return { ...result, diagnosis: diagnose(result, expectedIterations) };
  if (status === 'skipped' || context === undefined) return result;
  return { ...result, analysis: judgeQuality(context, seconds, expectedIterations, stage) };
}

function toReportedAssertion(assertion: CaseResult['assertions'][number]): ReportedResult['assertions'][number] {
  const { name, category, passed, expected, actual, suggestion } = assertion;
  const diff = passed ? undefined : sequenceDifference(expected, actual);
  return {
    ...{ name, category, passed, expected, actual },
    ...(diff === undefined ? {} : { diff }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** What is left in the workspace root: skipped cases never had a folder, passed ones lose theirs. */
function artifactsOf(
  results: readonly ReportedResult[],
  { workspaceRoot, keepWorkspaces }: ReportInput,
): SuiteReport['artifacts'] {
  return results
    .filter(({ status, context }) => context !== undefined && (status === 'failed' || keepWorkspaces))
    .map(({ scenario_id: id, status }) => ({
      path: join(workspaceRoot, id),
      description: `workspace of ${id} (${status})`,
    }));
}
