/**
 * The hook events of Claude Code, each with the field of its payload that a matcher is held against.
 * Where there is none, a matcher is ignored.
 */
export const hookCatalogue = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PostToolBatch: undefined,
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  Notification: 'notification_type',
  UserPromptSubmit: undefined,
  UserPromptExpansion: 'command_name',
  SessionStart: 'source',
  SessionEnd: 'reason',
  Stop: undefined,
  StopFailure: 'error',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  PreModelSwitch: 'to_model',
  PostModelSwitch: 'to_model',
  MessageDisplay: undefined,
  Setup: 'trigger',
  TaskCreated: undefined,
  TaskCompleted: undefined,
  TeammateIdle: undefined,
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  ConfigChange: 'source',
  InstructionsLoaded: 'load_reason',
  CwdChanged: undefined,
  FileChanged: 'file_path',
  DirectoryAdded: 'source',
  WorktreeCreate: undefined,
  WorktreeRemove: undefined,
} as const satisfies Record<string, string | undefined>;

export type HookEventName = keyof typeof hookCatalogue;

export const hookEventNames = Object.keys(hookCatalogue) as HookEventName[];

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookCatalogue, name);
}
