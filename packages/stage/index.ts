export { type AgentCall, textOfCall } from './src/calls/agent-call.js';
export { callEvent } from './src/calls/call-event.js';
export { agentsOn, type CallState, type CallsOfStep, type PlaceOptions } from './src/calls/place-agents.js';
export { ProgramRun, type ProgramRunOptions } from './src/calls/program-run.js';
export { agentOfProgram, programOf, recorded, writeProgram } from './src/calls/programs.js';
export { readCallFiles, toldCalls } from './src/calls/read-calls.js';
export type { EndedProgram } from './src/calls/run-program.js';
export { withoutAgentKeys } from './src/calls/user-environment.js';
export { Conversation } from './src/conversation/conversation.js';
export { EventLog, readEventLog } from './src/conversation/event-log.js';
export { type OpenedStage, openStage, scenarioOf } from './src/conversation/open-stage.js';
export type { ConversationOptions } from './src/conversation/options.js';
export { ProjectWatch } from './src/conversation/project-watch.js';
export { leftoversIn, type SessionPart } from './src/conversation/session-part.js';
export { allowedActions, type ConversationState } from './src/conversation/state-machine.js';
export { openStepLog, type StepLog } from './src/conversation/step-log.js';
export type { Told } from './src/conversation/told.js';
export { totalUsage } from './src/conversation/total-usage.js';
export { joinTexts, replayEvents } from './src/conversation/tracker.js';
export { pick, type Turn, type TurnSource, turnOf } from './src/conversation/turn.js';
export { type SeenOnWire, WireWitness } from './src/conversation/wire-witness.js';
export { ambiguousCommand } from './src/conversation/workflow/ambiguous-command.js';
export { builtInWorkflows } from './src/conversation/workflow/built-in-workflows.js';
export { describeWorkflow, outlineOf } from './src/conversation/workflow/describe.js';
export type { StageTransition, WorkflowProgress } from './src/conversation/workflow/progress.js';
export { loadWorkflow, toWorkflow, type Workflow } from './src/conversation/workflow/workflow.js';
export { dockerProblem } from './src/isolation/docker.js';
export { holdsHome, readableNextTo } from './src/isolation/folders.js';
export { GitChanges } from './src/isolation/git-changes.js';
export { chooseIsolation, escapesOfProgram, hiddenHere, openIsolation, portsOf } from './src/isolation/isolation.js';
export {
  ISOLATION_VARIABLE,
  type IsolationState,
  isolationLevels,
  parseIsolation,
  requestedIsolation,
} from './src/isolation/level.js';
export { missedPath, notVisible, VISIBLE_FIX } from './src/isolation/not-visible.js';
export { sandboxProblem } from './src/isolation/probe-sandbox.js';
export type { Isolation } from './src/isolation/provider.js';
export type { Attempt } from './src/isolation/watch.js';
export { deadRun } from './src/plugins/compare-hooks.js';
export {
  type ComponentKind,
  componentKinds,
  type DeclaredComponent,
  type DeclaredHook,
  type DeclaredPlugin,
  type DeclaredServer,
  type DeclaredText,
} from './src/plugins/declared/component.js';
export { readPlugin } from './src/plugins/declared/plugin.js';
export { readProject } from './src/plugins/declared/project.js';
export { hookScripts } from './src/plugins/declared/script.js';
export { type ExpandOptions, type Expansion, expandCommand } from './src/plugins/expand-command.js';
export { type HiddenProgram, hiddenPrograms, namingHidden } from './src/plugins/hidden-programs.js';
export { activeHooks } from './src/plugins/hooks/active.js';
export { type FiredEvent, type FiredHook, type FireOptions, fireHooks } from './src/plugins/hooks/fire.js';
export { fireInto } from './src/plugins/hooks/fire-into.js';
export { type HookExecution, hookLog } from './src/plugins/hooks/log.js';
export { readHooksOf } from './src/plugins/hooks/source.js';
export {
  type InspectOptions,
  inspectEach,
  inspectPlugin,
  inspectProject,
  inspectTogether,
  reportPlugin,
} from './src/plugins/inspect.js';
export { inspectMarketplace } from './src/plugins/inspect-marketplace.js';
export {
  disablePlugin,
  enablePlugin,
  type InstalledPlugin,
  installPlugin,
  listPlugins,
  type PluginStatus,
  pluginStatus,
  uninstallPlugin,
  updatePlugin,
} from './src/plugins/installed.js';
export { askLoaded } from './src/plugins/loaded/ask.js';
export { isolateLook, stateOf, TRIED_FIX, triedIn } from './src/plugins/loaded/isolate.js';
export { SERVER_MS } from './src/plugins/loaded/loaded-state.js';
export {
  addMarketplace,
  isMarketplace,
  isPlugin,
  listMarketplaces,
  type Marketplace,
  readMarketplace,
  removeMarketplace,
  sourceFolder,
} from './src/plugins/marketplace.js';
export type { PluginHome } from './src/plugins/plugin-cli.js';
export { remoteReason } from './src/plugins/remote-source.js';
export { type ComponentReport, type PluginReport, withComponents } from './src/plugins/report.js';
export { reportFiles } from './src/plugins/report-files.js';
export { type ChangeServer, changeProjectServers, pluginServers } from './src/plugins/servers/change-servers.js';
export { Mocks, toolResult, toToolResult } from './src/plugins/servers/mocks.js';
export { preparePlugins } from './src/plugins/servers/prepare-plugins.js';
export { callLog, proxyFor } from './src/plugins/servers/proxy-for.js';
export { runProxy } from './src/plugins/servers/run-proxy.js';
export {
  isLocal,
  type LocalServer,
  type ServerConfig,
  serverConfigSchema,
  withVariables,
} from './src/plugins/servers/server-config.js';
export { type ServerFaults, serverFaultFields } from './src/plugins/servers/server-faults.js';
export {
  type Artifact,
  ArtifactIndex,
  type CaptureOptions,
  captureArtifacts,
  folderName,
} from './src/workspace/artifacts.js';
export { changedFiles } from './src/workspace/changed-files.js';
export { type Change, compareSnapshots, formatChanges } from './src/workspace/compare-snapshots.js';
export { containedPath } from './src/workspace/contained-path.js';
export { copyFolder } from './src/workspace/copy-folder.js';
export { createProject, type Project } from './src/workspace/create-project.js';
export {
  type DevServer,
  type DevServerOptions,
  startDevServer,
  startProjectServer,
} from './src/workspace/dev-server.js';
export { settleFileTimes } from './src/workspace/file-times.js';
export {
  type Commit,
  commitAll,
  type GitOptions,
  git,
  initRepository,
  listCommits,
  type RepositoryOptions,
} from './src/workspace/git.js';
export { unifiedDiff } from './src/workspace/line-diff.js';
export { type MadeFiles, madeBetween, type Reset, resetMadeFiles } from './src/workspace/made-files.js';
export type { Language, ProjectSpec, ProjectType } from './src/workspace/project-spec.js';
export { type SampleFile, type WrittenFiles, writeSampleFiles } from './src/workspace/sample-files.js';
export { type Snapshot, type SnapshotOptions, takeSnapshot, UNWATCHED } from './src/workspace/snapshot.js';
