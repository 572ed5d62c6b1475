/** Events that the stand-in fires, with what their matcher is held against. */
export const HOOK_EVENTS = {
  PreToolUse: { summary: 'Before tool execution', matches: 'tool_name' },
  PostToolUse: { summary: 'After tool execution', matches: 'tool_name' },
  PostToolUseFailure: { summary: 'After tool execution fails', matches: 'tool_name' },
  PostToolBatch: { summary: 'After a batch of tool calls resolves', matches: undefined },
  PermissionRequest: { summary: 'When a permission dialog would be shown', matches: 'tool_name' },
  Notification: { summary: 'When notifications are sent', matches: 'notification_type' },
  UserPromptSubmit: { summary: 'When the user submits a prompt', matches: undefined },
  UserPromptExpansion: { summary: 'When a user-typed slash command expands into a prompt', matches: 'command_name' },
  SessionStart: { summary: 'When a new session is started', matches: 'source' },
  SessionEnd: { summary: 'When a session is ending', matches: 'reason' },
  Stop: { summary: 'Right before Claude concludes its response', matches: undefined },
  StopFailure: { summary: 'When the turn ends due to an API error', matches: 'error' },
  SubagentStart: { summary: 'When a subagent is started', matches: 'agent_type' },
  SubagentStop: { summary: 'Right before a subagent concludes its response', matches: 'agent_type' },
  PreCompact: { summary: 'Before conversation compaction', matches: 'trigger' },
  PostCompact: { summary: 'After conversation compaction', matches: 'trigger' },
} as const;

export type HookEvent = keyof typeof HOOK_EVENTS;

/** Where a hook was written. */
export type HookSource = 'userSettings' | 'projectSettings' | 'localSettings' | 'flagSettings' | 'plugin' | 'sdk';

/** One hook that could fire. */
export interface Hook {
  event: HookEvent;
  matcher: string;
  source: HookSource;
  /** A shell command, or with `args` a program; for the Agent SDK, a callback of the host. */
  run: { type: 'command'; command: string; args?: readonly string[] } | { type: 'callback'; id: string };
  timeoutMs?: number;
  /** The plugin that it comes from. */
  plugin?: { name: string; root: string };
}

/** What a hook is given on its stdin. */
export interface HookInput {
  hook_event_name: HookEvent;
  session_id: string;
  transcript_path: string;
  cwd: string;
  [field: string]: unknown;
}

/** How one hook ended. */
export interface HookRun {
  hook: Hook;
  stdout: string;
  stderr: string;
  exitCode: number;
  outcome: 'success' | 'error' | 'cancelled';
  durationMs: number;
  /** What a callback of the host answered; commands answer on stdout. */
  answer?: unknown;
}
