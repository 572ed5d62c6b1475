export { AcceptedDifferences } from './src/drift/accepted.js';
export { areaOf } from './src/drift/areas.js';
export { type Bisection, bisect, type Judged } from './src/drift/bisect.js';
export { type Comparison, findDrift, type Progress, type Side } from './src/drift/drift.js';
export { DRIFT_INPUTS } from './src/drift/inputs.js';
export { driftMarkdown } from './src/drift/markdown.js';
export { observe } from './src/drift/observe.js';
export { PROBES } from './src/drift/probes.js';
export { evalEntries, evalPlayer } from './src/evals/eval-entries.js';
export { findEvals } from './src/evals/find-evals.js';
export { type FindOptions, findGuards, findOwnGuards } from './src/guards/find-guards.js';
export { describeAttempt, type Guard, type GuardedFolder, type Setting } from './src/guards/guard.js';
export { guardEntries, guardPlayer } from './src/guards/guard-entries.js';
export { readGuardFile } from './src/guards/guard-file.js';
export { guardRehearsal } from './src/guards/guard-rehearsal.js';
export { mayObject, textOfHook, untriedCommands } from './src/guards/guard-words.js';
export { askPermit, type Permit } from './src/guards/permit.js';
export { type Candidate, EXAMPLE_TEXT, inputIn, TOOL_CANDIDATES } from './src/guards/tool-candidates.js';
export { analyzeRun } from './src/orchestrators/analysis/analyze-run.js';
export { readAnalyzer } from './src/orchestrators/analysis/analyzer-config.js';
export { type Backend, backends, type StageName } from './src/orchestrators/case.js';
export {
  type CaseIdentity,
  caseEntries,
  caseIdentities,
  casePlayer,
  workspaceFolders,
} from './src/orchestrators/case-entries.js';
export {
  agentStates,
  contractEntries,
  contractIdentities,
  contractPlayer,
} from './src/orchestrators/contract/contract-entries.js';
export { contractText, type Endings, runWords } from './src/orchestrators/contract/init/contract-text.js';
export { learnEndings } from './src/orchestrators/contract/init/learn-endings.js';
export { type Answers, readHelp } from './src/orchestrators/contract/init/read-help.js';
export { type Contract, loadContract } from './src/orchestrators/contract/load-contract.js';
export { versionOf } from './src/orchestrators/contract/version.js';
export { findOrchestrator, type Orchestrator } from './src/orchestrators/orchestrator.js';
export { programFile } from './src/orchestrators/program-file.js';
export { type CaseStage, hasScript } from './src/orchestrators/stage.js';
export { suiteStage } from './src/orchestrators/suite-stage.js';
export { Workspaces } from './src/orchestrators/workspace.js';
export type { EntryStage, SuiteCheck, SuiteEntry, SuiteFile, SuiteOf, SuitePlay } from './src/own/define.js';
export { OwnSuites, SUITE_PLAYER } from './src/own/own-suites.js';
export type { OpenedTools, ToolsOptions } from './src/own/play.js';
export { QUEUE_VARIABLE } from './src/queue/address.js';
export { sweepBundles } from './src/queue/bundle-store.js';
export { Database, type DatabaseOptions } from './src/queue/database.js';
export { followRun, writeLogs } from './src/queue/follow.js';
export { Jobs } from './src/queue/jobs.js';
export { cancelRun, type Lease, type Taken } from './src/queue/leases.js';
export { migrate } from './src/queue/migrations.js';
export { readQueueHistory, removeOldRuns } from './src/queue/queue-history.js';
export { allQueues, liveQueue, queuesFor } from './src/queue/queue-names.js';
export { findRun, listRuns, type QueuedRun, readQueuedRun } from './src/queue/queued-run.js';
export { submitRun } from './src/queue/submit.js';
export { type PlayContext, type PlayedEntry, Worker } from './src/queue/worker.js';
export { suiteCases } from './src/ralph/cases/index.js';
export { backendNames } from './src/ralph/loop/backend-names.js';
export { type LoopConfig, loadConfig, parseConfig } from './src/ralph/loop/config.js';
export type { BackendName } from './src/ralph/loop/config-schema.js';
export { createConsole } from './src/ralph/loop/console.js';
export { EventLog } from './src/ralph/loop/event-log.js';
export { Loop } from './src/ralph/loop/loop.js';
export type { Memory, MemoryType } from './src/ralph/loop/memory/memory.js';
export { formatMemories } from './src/ralph/loop/memory/memory-file.js';
export { MemoryStore, memoryFile, searchMemories } from './src/ralph/loop/memory/store.js';
export { registerOrchestrators } from './src/ralph/register.js';
