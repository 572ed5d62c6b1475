export {
  type AgentName,
  agentNames,
  agents,
  allCredentials,
  type ClientName,
  clients,
  fetchedNames,
  homeVariables,
  type ServedAgent,
  servedAgents,
  standInNames,
} from './src/agents.js';
export { promptOfCall } from './src/call-prompt.js';
export { asking as claudeAsking } from './src/claude/asking.js';
export { claudeCode } from './src/claude/client/client.js';
export { escapeAngles, escapeTags, readCommandTags, writeCommandTags } from './src/claude/client/command-tags.js';
export {
  type AskingKind,
  questionPrompt,
  questionText,
  readAnswer,
  readQuestion,
} from './src/claude/client/hook-question.js';
export { readMidTurn } from './src/claude/client/mid-turn.js';
export { NO_OUTPUT } from './src/claude/client/no-output.js';
export { isResumeRequest, REPEAT_REQUEST, RESUME_REQUEST } from './src/claude/client/resume-request.js';
export {
  argumentReader,
  type ParsedArguments as ClaudeArguments,
  UnknownOption,
} from './src/claude/command-line/arguments.js';
export {
  FLAGS as CLAUDE_FLAGS,
  type Flag as ClaudeFlag,
  MINOR_FLAGS as CLAUDE_MINOR_FLAGS,
} from './src/claude/command-line/flags.js';
export { joinPrompt as joinClaudePrompt } from './src/claude/command-line/prompt.js';
export { claudeRetries } from './src/claude/environment.js';
export {
  type AgentDefinition,
  agentNames as definedAgentNames,
  isAmong,
  ownAgents,
  readAgentDefinitions,
  toolsOf,
} from './src/claude/facts/agent-definitions.js';
export { agentProblems } from './src/claude/facts/agent-problems.js';
export { readAgentSettings, withMemoryTools } from './src/claude/facts/agent-settings.js';
export {
  AGENTS,
  CAPABILITIES,
  CLAUDE_VERSION,
  COMMAND_ALIASES,
  COMMANDS,
  commandName,
  EFFORTS,
  OUTPUT_STYLES,
  PLUGINS,
  SKILLS,
  TERMINAL_COMMANDS,
} from './src/claude/facts/built-in.js';
export { byName } from './src/claude/facts/by-name.js';
export { CliError } from './src/claude/facts/cli-error.js';
export { compactedConversation } from './src/claude/facts/compaction.js';
export {
  type ConfigPaths,
  configPaths,
  projectSlug,
  sessionTemp,
  transcriptPath,
} from './src/claude/facts/config-paths.js';
export { findCommand, findSkill, findSkillOfAgent, skillName } from './src/claude/facts/find-skill.js';
export { type FrontMatter, readFrontMatter, textField, toolListField } from './src/claude/facts/front-matter.js';
export { failureOf, hookAttachments, hookText } from './src/claude/facts/hooks/attachments.js';
export { lateWords } from './src/claude/facts/hooks/background.js';
export { hookCommand, hookRun, hookTimeoutMs, reportedRun } from './src/claude/facts/hooks/command.js';
export { conditionHolds, neverHolds, useThatMeets } from './src/claude/facts/hooks/condition.js';
export { envFile, envFolder, inReadingOrder } from './src/claude/facts/hooks/env-file.js';
export { escapeReminders } from './src/claude/facts/hooks/escape-reminders.js';
export {
  eventOfHook,
  type HookEventName,
  hookEventFacts,
  hookEventNames,
  hookEvents,
  isHookEventName,
  isToolEvent,
  isUnreported,
  isUnsupportedType,
} from './src/claude/facts/hooks/events.js';
export type { AskingHook, Hook, HookInput, HookRun, HostHook } from './src/claude/facts/hooks/hook.js';
export {
  type HookDecision,
  type HookJudgment,
  judgeHook,
  objectionOf,
  problemOf,
} from './src/claude/facts/hooks/judgment.js';
export { hooksOfSettings, readHooks } from './src/claude/facts/hooks/load.js';
export {
  isBrokenMatcher,
  matcherCovers,
  matcherFires,
  matcherNames,
  matcherSubjects,
  matchingHooks,
} from './src/claude/facts/hooks/matcher.js';
export { announcesBackground, readHostAnswer, readOutput } from './src/claude/facts/hooks/output.js';
export { hookPayload, type PayloadContext } from './src/claude/facts/hooks/payload.js';
export { hookPlaces } from './src/claude/facts/hooks/places.js';
export { sessionFields } from './src/claude/facts/hooks/session-fields.js';
export { KNOWN_TOOLS as TOOLS_OF_HOOKS, matcherSubjectsOf } from './src/claude/facts/hooks/subjects.js';
export {
  combineVerdicts,
  endByAnswer,
  type HookVerdict,
  hookLabel,
  interpretRun,
} from './src/claude/facts/hooks/verdict.js';
export { jsonComplaint } from './src/claude/facts/json-complaint.js';
export {
  hasMoreFor,
  type MemoryFile,
  type MemoryPlace,
  memoryFiles,
  memoryText,
} from './src/claude/facts/memory/memory-files.js';
export {
  answeringModel,
  DEFAULT_MODEL,
  isKnownModel,
  isOlderModel,
  MODEL_ALIASES,
  modelCard,
  resolveModel,
} from './src/claude/facts/models.js';
export { type PermissionMode, SESSION_MODES } from './src/claude/facts/modes.js';
export { readShellLine, splitWords } from './src/claude/facts/permissions/bash-command.js';
export { decide } from './src/claude/facts/permissions/decide.js';
export type { Decision, PermissionContext } from './src/claude/facts/permissions/decision.js';
export { deniedAgent, deniedFile } from './src/claude/facts/permissions/denied.js';
export { fullPath } from './src/claude/facts/permissions/full-path.js';
export { isInsideAny } from './src/claude/facts/permissions/inside.js';
export { lineOnlyLooks } from './src/claude/facts/permissions/only-looks.js';
export {
  invalidAnswer,
  type PermissionAnswer,
  readPermissionAnswer,
} from './src/claude/facts/permissions/permission-answer.js';
export type { PermissionUpdate } from './src/claude/facts/permissions/permission-update.js';
export {
  addRules,
  isAboutTool,
  isDisabled,
  noRules,
  type PermissionRule,
  type PermissionRules,
  type RuleSource,
  rulesOfSettings,
} from './src/claude/facts/permissions/rules.js';
export { suggest } from './src/claude/facts/permissions/suggest.js';
export { inlineId, type PluginOrigin } from './src/claude/facts/plugin-origin.js';
export {
  agentFiles,
  type ComponentFile,
  commandFiles,
  componentNames,
  skillFiles,
  skillFolders,
  workflowFiles,
} from './src/claude/facts/plugins/components.js';
export {
  hookDocuments,
  type PluginDocument,
  readDocument,
  readPluginManifest,
  serverDocuments,
} from './src/claude/facts/plugins/documents.js';
export { nearestFolder, pluginFolder } from './src/claude/facts/plugins/folder.js';
export {
  AGENTS_FOLDER,
  COMMANDS_FOLDER,
  COMPONENT_PLACES,
  HOOKS_FILE,
  MANIFEST_FILE,
  MARKETPLACE_FILE,
  OTHER_PARTS,
  PLUGIN_FOLDER,
  pathList,
  SERVERS_FILE,
  SKILL_FILE,
  serversOfDocument,
  skillPlaces,
} from './src/claude/facts/plugins/layout.js';
export {
  type LoadedPlugin,
  type LoadedPlugins,
  loadPlugins,
  type PluginProblem,
} from './src/claude/facts/plugins/load.js';
export { isPluginName, manifestProblems } from './src/claude/facts/plugins/manifest-problems.js';
export { refuseHooks } from './src/claude/facts/plugins/refusals.js';
export { filesBelow, kindOf } from './src/claude/facts/plugins/tree.js';
export { workflowMeta } from './src/claude/facts/plugins/workflow-meta.js';
export {
  deniedInBackground,
  nobodyToAsk,
  REJECTED_TOOL_USE,
  STOPPED_TOOL_USE,
} from './src/claude/facts/rejections.js';
export {
  configuredMode,
  describeProblems,
  type LoadedSettings,
  loadSettings,
  mergeSettings,
  type SettingsFile,
} from './src/claude/facts/settings.js';
export { list, object, optional, record, text } from './src/claude/facts/shapes.js';
export {
  type CommandDefinition,
  commandVariables,
  expandSlashCommand,
  loadCommands,
  type RunLine,
  readCommand,
  ShellLineError,
} from './src/claude/facts/slash-commands.js';
export {
  ASKING_TOOLS,
  isSubagentTool,
  KNOWN_TOOLS,
  LANGUAGE_TOOL,
  RESOURCE_TOOLS,
  SEARCH_TOOLS,
  TASK_TOOLS,
  TO_DO_TOOLS,
  TOOLS,
  TOOLS_OF_THE_SESSION,
  TOOLS_ON_REQUEST,
  TOOLS_WITH_A_HOST,
  toolAliases,
  toolName,
  toolsNotOf,
} from './src/claude/facts/tools.js';
export {
  type ChildKind,
  childVariables,
  fillAllVariables,
  fillGiven,
  missingVariables,
  pluginVariables,
} from './src/claude/facts/variables.js';
export { claudePaths, prepareClaude, settleClaude } from './src/claude/home.js';
export { hookQuestionEvents } from './src/claude/hook-question-events.js';
export { type HookRecorder, type HookRecording, recordHooks } from './src/claude/hook-recorder.js';
export { type McpServerState, settledServers, withLogs } from './src/claude/mcp-servers.js';
export { ClaudeSession } from './src/claude/session.js';
export { ClaudeTerminal } from './src/claude/terminal-session.js';
export { asking as codexAsking } from './src/codex/asking.js';
export {
  type CommandTable,
  type Flag as CodexFlag,
  lastValue,
  type ParsedCommand,
  parseCommand,
  WrongCommandLine,
} from './src/codex/command-line.js';
export { CODEX, EXEC, joinPrompt as joinCodexPrompt, RESUME, resumeWords } from './src/codex/commands.js';
export { compareVersions } from './src/compare-versions.js';
export {
  type AgentDriver,
  type AgentSession,
  type Deadlines,
  defaultDeadlines,
  type HomeOfCalls,
  type ModelAccess,
  type PermissionPolicy,
  type Stage,
  type StartOptions,
  stages,
  type TerminalAction,
  type TerminalProgram,
  type TerminalSize,
  type TranscriptTurn,
} from './src/driver.js';
export { SHORT_LIVED } from './src/environment.js';
export {
  type AgentEvent,
  type ConversationEvent,
  type EventBody,
  type EventBodyOf,
  type EventOf,
  type EventType,
  eventSchema,
  type Reportable,
  type TokenUsage,
  type TurnEnded,
} from './src/events.js';
export { type ParsedWords, readWords, UnknownFlag } from './src/flags.js';
export { asking as geminiAsking } from './src/gemini/asking.js';
export { GEMINI_FLAGS, joinPrompt as joinGeminiPrompt } from './src/gemini/command-line.js';
export { InProcessSession } from './src/in-process/session.js';
export { asking as kiroAsking } from './src/kiro/asking.js';
export { CHAT_FLAGS, chatInput } from './src/kiro/command-line.js';
export { loginKeys } from './src/login.js';
export { lostServer } from './src/lost-server.js';
export { startRecording, startReplay } from './src/model/cassettes.js';
export { agentEnvironment, recognizeClient, startModelServer } from './src/model/server.js';
export { settleModelAccess } from './src/model-access.js';
export { asking as opencodeAsking } from './src/opencode/asking.js';
export { joinMessage, RUN_FLAGS } from './src/opencode/command-line.js';
export {
  type AgentReader,
  type AgentTurn,
  defineAgent,
  type ModelEndpoint,
  type ModelRequest,
  type ModelSettings,
  type OwnAgent,
} from './src/own-agent/definition.js';
export { agentModuleFiles, agentNamed, isModule, useAgent, useAgentModule } from './src/own-agent/use-agent.js';
export { type Probe, probeAgent } from './src/probe.js';
export { type LoginOptions, type ProbedLogin, probeLogin } from './src/probe-login.js';
export {
  asksModel,
  CALL_VARIABLE,
  CALLS_VARIABLE,
  type CallStream,
  claimCall,
  OTHER,
  type RecordedCall,
  tellingWords,
  writeEnd,
  writeStart,
  writeUnsupported,
} from './src/record/call-files.js';
export {
  describeTeller,
  type Frame,
  PERL_TELLS,
  PERL_WAITS,
  RECORDS_FD,
  RECORDS_SOCKET,
  TELLING_LAUNCHER,
  type Teller,
  type Told,
  tell,
  tellStarted,
  toldAs,
  WAITS,
  waitUntilKept,
} from './src/record/teller.js';
export { loadsPlugins, parseAgentSpec } from './src/spec.js';
export { standInCommand } from './src/stand-in.js';
export { type AddProgress, addAgent } from './src/store/add-agent.js';
export { askVersion } from './src/store/ask-version.js';
export { agentLocations, type FoundAgent, findAgent } from './src/store/find-agent.js';
export { folderSize } from './src/store/folder-size.js';
export { nodeVersionIn } from './src/store/node-runtime.js';
export { npmVersions } from './src/store/npm-versions.js';
export { pruneAgents, type RemovedAgent, removeAgent } from './src/store/remove-agent.js';
export { storeFolder, versionFolder } from './src/store-folder.js';
export { runAttached } from './src/terminal/attached-terminal.js';
export { describeAction } from './src/terminal/describe-action.js';
export { KEEP_KEY } from './src/terminal/keep-key.js';
export { isKey, KEY_NAMES, keyBytes } from './src/terminal/keys.js';
export { loadTerminalPackages } from './src/terminal/optional-packages.js';
export { performAction } from './src/terminal/perform-action.js';
export { colorName, hexColor, isColor } from './src/terminal/screen-runs.js';
export { Terminal } from './src/terminal/terminal.js';
export { TerminalSession } from './src/terminal/terminal-session.js';
export type { TurnVerdict } from './src/turn-reader.js';
export { UnreadableEvents } from './src/unreadable-events.js';
export { pinnedVersions } from './src/versions.js';
