export { type HookRecorder, type HookRecording, recordHooks } from './agents/claude/hook-recorder.js';
export { ClaudeTerminal } from './agents/claude/terminal-session.js';
export type { PermissionPolicy, Stage } from './agents/driver.js';
export type { ConversationEvent, EventBody, EventOf } from './agents/events.js';
export { probeAgent } from './agents/probe.js';
export { addAgent } from './agents/store/add-agent.js';
export { type FoundAgent, findAgent } from './agents/store/find-agent.js';
export {
  type Recording,
  type RecordingOptions,
  type ReplayServerOptions,
  startRecording,
  startReplay,
} from './cassette/start.js';
export { hookPayload } from './claude-code/hooks/payload.js';
export { Conversation } from './conversation/conversation.js';
export { readEventLog } from './conversation/event-log.js';
export type { ConversationOptions } from './conversation/options.js';
export type { SessionPart } from './conversation/session-part.js';
export { replayEvents } from './conversation/tracker.js';
export type { Turn } from './conversation/turn.js';
export { describeWorkflow } from './conversation/workflow/describe.js';
export { loadWorkflow, type Workflow } from './conversation/workflow/workflow.js';
export {
  type ErrorCode,
  formatLocation,
  InvalidDocumentError,
  type Problem,
  type SourceLocation,
  UnderstudyError,
} from './errors.js';
export { type ExpandOptions, type Expansion, expandCommand } from './plugins/expand-command.js';
export { activeHooks } from './plugins/hooks/active.js';
export { type FiredEvent, type FiredHook, type FireOptions, fireHooks } from './plugins/hooks/fire.js';
export { type HookExecution, hookLog } from './plugins/hooks/log.js';
export { inspectEach, inspectPlugin, inspectTogether } from './plugins/inspect.js';
export { inspectMarketplace } from './plugins/inspect-marketplace.js';
export {
  disablePlugin,
  enablePlugin,
  installPlugin,
  listPlugins,
  type PluginStatus,
  pluginStatus,
  uninstallPlugin,
  updatePlugin,
} from './plugins/installed.js';
export { addMarketplace, listMarketplaces, removeMarketplace } from './plugins/marketplace.js';
export type { PluginHome } from './plugins/plugin-cli.js';
export type { ComponentReport, PluginReport } from './plugins/report.js';
export { createSimulator, type SimulatedTurn, type Simulator } from './scenario/in-process.js';
export { defineScenario, loadScenario, type Scenario } from './scenario/load.js';
export type { Prompt, SlashCommand } from './scenario/prompt.js';
export type { Block, Message, Reply, ToolResult, ToolUse, Unanswered } from './scenario/reply.js';
export type { Failure, Response, Rule, ScenarioDocument } from './scenario/schema.js';
export type { UnusedPart } from './scenario/usage.js';
