export { COMPACTION_ANSWER, COMPACTION_SUMMARY, COMPACTION_TOKENS } from './src/compaction-summary.js';
export { API_MESSAGES, BEGUN_TOKENS, type FailureWithMessage, HTML_PAGE } from './src/failure-messages.js';
export {
  type GenericTool,
  genericFor,
  genericTools,
  isNameOf,
  isSameTool,
  nameTools,
  type ToolNames,
  toAgentArguments,
  toGenericArguments,
} from './src/generic-tools.js';
export { compileGlob, translateGlob } from './src/glob.js';
export { NO_OBJECTION } from './src/hook-answer.js';
export { createSimulator, type SimulatedTurn, type Simulator } from './src/in-process.js';
export {
  publishedSchema,
  scenarioJsonSchema,
  schemaAddress,
} from './src/json-schema.js';
export { compileRegex, type LinearRegex, regexTest } from './src/linear-regex.js';
export { defineScenario, loadScenario, readScript, type Scenario, toScenario } from './src/load.js';
export { mockToolResult, runsTools } from './src/mock-tool.js';
export { NOTICE_ANSWER, NOTICE_TOKENS } from './src/notice-answer.js';
export { pacing } from './src/pace.js';
export { asTextPattern, compileTextPattern, describePattern, namesCommand, RefusedPattern } from './src/pattern.js';
export { Play, type PlayState } from './src/play.js';
export { type Prompt, parseSlashCommand, type SlashCommand, UNNAMED_AGENT } from './src/prompt.js';
export {
  type Block,
  type Message,
  type Reply,
  type StopReason,
  type ToolResult,
  type ToolUse,
  textOf,
  type Unanswered,
} from './src/reply.js';
export { retriesFor, USUAL_RETRIES } from './src/retries.js';
export { keepScenario, readCachedScenario, writeChecked } from './src/scenario-cache.js';
export {
  type Failure,
  type Fault,
  failureSchema,
  type Pace,
  type Response,
  type Rule,
  type ScenarioDocument,
  type ScenarioInput,
  scenarioSchema,
  type TextPattern,
  textPatternSchema,
  type WrittenDocument,
} from './src/schema.js';
export { Script } from './src/script.js';
export { titleFrom } from './src/title.js';
export { toolNotOffered } from './src/tool-not-offered.js';
export { describeUnanswered } from './src/unanswered.js';
export { unquoted } from './src/unquoted.js';
export { combinedUsage, type ScriptUsage, type UnusedPart, Usage } from './src/usage.js';
export { compileValueSchema } from './src/value-schema.js';
export { responsesOf } from './src/walk.js';
