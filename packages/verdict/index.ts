export { checkAnswered, checkDecided, QUESTION_TOOL, questionsIn } from './src/checks/answered.js';
export { type Budget, checkBudget } from './src/checks/budget.js';
export { checkCommandExpanded } from './src/checks/command-expanded.js';
export { parseCommandName } from './src/checks/command-name.js';
export {
  type CommandSuggestedOptions,
  type CommandSuggestedResult,
  checkCommandSuggested,
} from './src/checks/command-suggested.js';
export { checkCommits, type ExpectedCommits } from './src/checks/commits.js';
export {
  type ConventionalCommitOptions,
  type ConventionalCommitResult,
  checkConventionalCommit,
} from './src/checks/conventional-commit.js';
export {
  type Check,
  type CheckScope,
  count,
  defineCheck,
  givenAt,
  type ObservedStep,
  oneOrMore,
  type Place,
  positive,
  type Saying,
  saying,
  type Written,
  words,
} from './src/checks/define-check.js';
export { checkErrorHandled, type ErrorHandledOptions, type ErrorHandledResult } from './src/checks/error-handled.js';
export { checkEscapes } from './src/checks/escapes.js';
export {
  checkConversation,
  checkExpectations,
  checkOnlyExpected,
  type Expectation,
  expectations,
  nowhere,
  type PartExpectation,
  reviewExpectation,
} from './src/checks/expectation.js';
export { checkFile, type ExpectedFile } from './src/checks/files-changed.js';
export { type HookPlace, hookPlace } from './src/checks/hook-place.js';
export { checkHook, checkHookOrder, checkHooksAlive, type ExpectedHook } from './src/checks/hooks-fired.js';
export { checkJsonOutput } from './src/checks/json-output.js';
export { checkKeywords, type KeywordsOptions, type KeywordsResult } from './src/checks/keywords.js';
export { namesTool } from './src/checks/known-names.js';
export { checkLeftovers } from './src/checks/leftovers.js';
export { checkModelStarted } from './src/checks/model-started.js';
export { checkSkills, checkSubagents, type ExpectedNames } from './src/checks/names-used.js';
export { agentText, describeTool, type LoggedCall, type Observed, observedTools } from './src/checks/observed.js';
export { checkOutcome, type ExpectedOutcome } from './src/checks/outcome.js';
export { checkOutputCut } from './src/checks/output-cut.js';
export {
  defineOwnCheck,
  type ExpectedOf,
  type Expects,
  type Judgement,
  type OwnCheck,
  type OwnChecks,
  type OwnExpectation,
  type OwnField,
  type StandardSchema,
} from './src/checks/own/define.js';
export { judgedAs, judgementSchema } from './src/checks/own/judgement.js';
export { loadOwnCheck, ownCheck } from './src/checks/own/own-check.js';
export type { Seen, SeenCall, SeenProgram, SeenTool } from './src/checks/own/seen.js';
export { checkPermission } from './src/checks/permission.js';
export { checkMcpServerUp, checkPluginsClean } from './src/checks/plugins-loaded.js';
export { checkCallsMade } from './src/checks/program/calls-made.js';
export { cutText } from './src/checks/program/cut-text.js';
export { describeEnd, signalName } from './src/checks/program/end.js';
export {
  checkRunExpectations,
  type RunExpectation,
  reviewRunExpectation,
  runExpectationSchema,
} from './src/checks/program/run-expectation.js';
export { textConditions } from './src/checks/program/text-expectation.js';
export {
  type CheckResult,
  type CheckStatus,
  type CheckSubject,
  checkResultSchema,
  combinedStatus,
  type GuardVerdict,
  hasPassed,
  statusOf,
} from './src/checks/result.js';
export { checkSays } from './src/checks/says.js';
export { checkScreen } from './src/checks/screen.js';
export { checkScript } from './src/checks/script-checks.js';
export { checkServersAlive } from './src/checks/servers-alive.js';
export {
  checkSpecificFeedback,
  type SpecificFeedbackOptions,
  type SpecificFeedbackResult,
} from './src/checks/specific-feedback.js';
export { checkTold, type ExpectedTold } from './src/checks/told.js';
export { checkToolsUsed, type ExpectedTools } from './src/checks/tools-used.js';
export { checkUnreadable } from './src/checks/unreadable.js';
export { checkSupported } from './src/checks/unsupported.js';
export { checkWitnesses, type Testimony } from './src/checks/witnesses.js';
export { checkWorkflowStage, type ExpectedWorkflowStage, isStage, parseStage } from './src/checks/workflow-stage.js';
export { concludeEntry, concludeRun } from './src/diagnosis/conclude.js';
export { diagnose } from './src/diagnosis/diagnose.js';
export { EFFECTS, failedOf } from './src/diagnosis/loopholes.js';
export { lastLines, linesFrom, quote } from './src/diagnosis/quote.js';
export { firstFailure } from './src/diagnosis/rationalizations.js';
export { groupBy } from './src/diagnosis/recommendations.js';
export { type CheckOf, FailedEntry } from './src/diagnosis/rules/failed-entry.js';
export {
  asEvidence,
  type DiagnosisRule,
  type Explanation,
  firstFinding,
  LIKELY,
  POSSIBLE,
  SEEN,
} from './src/diagnosis/rules/rule.js';
export { spokenIn } from './src/diagnosis/spoken.js';
export type { Excuse, LoopholeKind, Spoken, SuiteDiagnosis } from './src/diagnosis/suite.js';
export { registerDiagnosis } from './src/diagnosis/suite.js';
export { isRunByAgent, writeAgentReport } from './src/reporters/agent.js';
export { writeComment } from './src/reporters/comment.js';
export { createReporter, defaultReporters, type ReporterContext } from './src/reporters/create-reporter.js';
export { describeChecks, describeEntry, describeFailure, describeIsolation } from './src/reporters/describe-result.js';
export { describeReason, failureSentence } from './src/reporters/failure-summary.js';
export { type FileReporter, fileReporter, type ReportFormat, reportFormats } from './src/reporters/file-reporter.js';
export {
  detailsOf,
  type EntryLogs,
  overviewEntry,
  overviewOf,
  type PageDetails,
  type PageOverview,
} from './src/reporters/html/page-data.js';
export { readLogs } from './src/reporters/html/read-logs.js';
export { longPart, textPart } from './src/reporters/html/timeline-items.js';
export type { TimelineItem, TimelineTurn } from './src/reporters/html/timeline-turn.js';
export { htmlPieces, writeLivePage } from './src/reporters/html/write-html.js';
export { LiveArea } from './src/reporters/live-area.js';
export { excerptAround, shortened } from './src/reporters/markdown/excerpt.js';
export { code, fence, sections, table } from './src/reporters/markdown/text.js';
export { writeMarkdown } from './src/reporters/markdown/write-markdown.js';
export { sendTraces } from './src/reporters/otlp/send.js';
export { type OwnReporter, ownReporter } from './src/reporters/own-reporter.js';
export {
  type AnnouncedEntry,
  atEnd,
  combineReporters,
  type Reporter,
  type RunStart,
} from './src/reporters/reporter.js';
export {
  loadOwnReporters,
  parseReporters,
  type ReporterChoice,
  reporterNames,
} from './src/reporters/reporter-names.js';
export { type Finding, writeSarif } from './src/reporters/sarif.js';
export { type Measure, type ReportSection, registerView, type SuiteView } from './src/reporters/suite-view.js';
export { causesOf } from './src/results/causes.js';
export { allTokens, type ComparedEntry, compareRuns } from './src/results/compare-runs.js';
export { seconds } from './src/results/duration.js';
export { checksOf, type EntryResult, entryResultSchema, isRed, type StepResult } from './src/results/entry-result.js';
export { isolationOf, isolationText } from './src/results/isolation.js';
export { jsonPieces } from './src/results/json-pieces.js';
export { resultJsonSchema } from './src/results/json-schema.js';
export { makeRun, type RunHead } from './src/results/make-run.js';
export { placeText } from './src/results/matrix.js';
export { mergeRuns } from './src/results/merge-runs.js';
export { packEntry } from './src/results/packed-entry.js';
export { describeRedCheck, redChecks } from './src/results/red-checks.js';
export { type AgentState, type RunResult, runResultSchema } from './src/results/run-result.js';
export type { Baseline, CaseSection } from './src/results/sections.js';
export {
  type Diagnosis,
  failureTypes,
  loopholeSchema,
  type Metrics,
  optimizationSchema,
  patternSchema,
  potentialFixSchema,
  type Quality,
  qualityScores,
  type Recommendation,
  rationalizationSchema,
  recommendationSchema,
  severities,
  warningCategories,
  warningSchema,
} from './src/results/sections.js';
export { registerSections } from './src/results/suite-sections.js';
export { summarize } from './src/results/summarize.js';
export { type PastRun, trendsOf } from './src/results/trends.js';
export { witnessesOf } from './src/results/witnesses.js';
