/** What the CLI does when a hook of an event ends with exit code 2. */
export type ExitTwoEffect =
  /** What was about to happen does not happen. At Stop and SubagentStop that is the end of the work. */
  | 'blocks'
  /** It already happened. The model reads what the hook wrote on stderr. */
  | 'feedback'
  /** Nothing changes, and the model is not told. The user may be shown the text. */
  | 'none';

/** What is true of one hook event. */
export interface HookEventFacts {
  /** How the CLI describes it in its own list of events. */
  summary: string;
  /** The field of the payload that a matcher is compared with. Without one, the matcher is ignored. */
  matches: string | undefined;
  exitTwo: ExitTwoEffect;
  /** Where `exitTwo` comes from: the real CLI in test/conformance/claude-facts-hooks.test.ts, or its public docs. */
  source: 'seen' | 'documented';
  /** Plain text on stdout (exit code 0, no JSON) is context for the model. */
  stdoutIsContext?: true;
  /** What the payload tells of the session: the permission mode, the effort, or both. */
  tells?: 'mode' | 'effort' | 'mode and effort';
  /** In the stream its hooks are named with the subject: `PreToolUse:Bash`. */
  namedBySubject?: true;
  /** The CLI tells nobody that its hooks run: only their own side knows. */
  untold?: true;
}

const tool = { matches: 'tool_name', source: 'seen', tells: 'mode and effort', namedBySubject: true } as const;
const agent = { matches: 'agent_type', source: 'seen' } as const;
const compaction = { matches: 'trigger', source: 'seen', untold: true } as const;
const model = { matches: 'to_model', source: 'seen', namedBySubject: true } as const;
const server = { matches: 'mcp_server_name', source: 'seen' } as const;
const plain = { matches: undefined, source: 'seen' } as const;

/** Every hook event of Claude Code 2.1.325, in the order of the CLI's own list. */
export const hookEvents = {
  PreToolUse: { ...tool, summary: 'Before tool execution', exitTwo: 'blocks' },
  PostToolUse: { ...tool, summary: 'After tool execution', exitTwo: 'feedback' },
  PostToolUseFailure: { ...tool, summary: 'After tool execution fails', exitTwo: 'feedback' },
  PostToolBatch: {
    ...plain,
    summary: 'After a batch of tool calls resolves',
    exitTwo: 'blocks',
    tells: 'mode and effort',
  },
  PermissionDenied: { ...tool, summary: 'After auto mode denies a tool call', exitTwo: 'none' },
  Notification: {
    summary: 'When notifications are sent',
    matches: 'notification_type',
    exitTwo: 'none',
    source: 'seen',
  },
  UserPromptSubmit: {
    ...plain,
    summary: 'When the user submits a prompt',
    exitTwo: 'blocks',
    stdoutIsContext: true,
    tells: 'mode',
  },
  UserPromptExpansion: {
    summary: 'When a user-typed slash command expands into a prompt',
    matches: 'command_name',
    exitTwo: 'blocks',
    source: 'seen',
    stdoutIsContext: true,
    tells: 'mode',
  },
  SessionStart: {
    summary: 'When a new session is started',
    matches: 'source',
    exitTwo: 'none',
    source: 'seen',
    stdoutIsContext: true,
    namedBySubject: true,
  },
  Stop: {
    ...plain,
    summary: 'Right before Claude concludes its response',
    exitTwo: 'blocks',
    tells: 'mode and effort',
  },
  StopFailure: {
    summary: 'When the turn ends due to an API error',
    matches: 'error',
    exitTwo: 'none',
    source: 'seen',
    tells: 'effort',
  },
  SubagentStart: {
    ...agent,
    summary: 'When a subagent (Agent tool call) is started',
    exitTwo: 'none',
    namedBySubject: true,
  },
  SubagentStop: {
    ...agent,
    summary: 'Right before a subagent (Agent tool call) concludes its response',
    exitTwo: 'blocks',
    tells: 'mode and effort',
  },
  PreCompact: { ...compaction, summary: 'Before conversation compaction', exitTwo: 'blocks' },
  PostCompact: { ...compaction, summary: 'After conversation compaction', exitTwo: 'none' },
  PreModelSwitch: {
    ...model,
    summary: 'Before a requested model switch (/model, model picker, set_model)',
    exitTwo: 'blocks',
  },
  PostModelSwitch: { ...model, summary: 'After the session model changes (any cause)', exitTwo: 'none' },
  SessionEnd: { summary: 'When a session is ending', matches: 'reason', exitTwo: 'none', source: 'seen', untold: true },
  PermissionRequest: { ...tool, summary: 'When a permission dialog is displayed', exitTwo: 'none' },
  Setup: {
    summary: 'Repo setup hooks for init and maintenance',
    matches: 'trigger',
    exitTwo: 'none',
    source: 'seen',
    namedBySubject: true,
  },
  // Agent teams need a terminal of their own.
  TeammateIdle: {
    summary: 'When a teammate is about to go idle',
    matches: undefined,
    exitTwo: 'blocks',
    source: 'documented',
  },
  TaskCreated: { ...plain, summary: 'When a task is being created', exitTwo: 'blocks' },
  TaskCompleted: { ...plain, summary: 'When a task is being marked as completed', exitTwo: 'blocks' },
  Elicitation: { ...server, summary: 'When an MCP server requests user input (elicitation)', exitTwo: 'blocks' },
  ElicitationResult: { ...server, summary: 'After a user responds to an MCP elicitation', exitTwo: 'blocks' },
  ConfigChange: {
    summary: 'When configuration files change during a session',
    matches: 'source',
    exitTwo: 'blocks',
    source: 'seen',
  },
  InstructionsLoaded: {
    summary: 'When an instruction file (CLAUDE.md or rule) is loaded',
    matches: 'load_reason',
    exitTwo: 'none',
    source: 'seen',
    untold: true,
  },
  WorktreeCreate: {
    ...plain,
    summary: 'Create an isolated worktree for VCS-agnostic isolation',
    exitTwo: 'blocks',
  },
  WorktreeRemove: { ...plain, summary: 'Remove a previously created worktree', exitTwo: 'blocks' },
  CwdChanged: { ...plain, summary: 'After the working directory changes', exitTwo: 'none', untold: true },
  FileChanged: { summary: 'When a watched file changes', matches: 'file_path', exitTwo: 'none', source: 'seen' },
  // In print mode nothing can add a directory.
  DirectoryAdded: {
    summary: 'After a working directory is added mid-session',
    matches: 'source',
    exitTwo: 'none',
    source: 'documented',
  },
  MessageDisplay: { ...plain, summary: 'While assistant message text is displayed', exitTwo: 'none' },
} as const satisfies Record<string, HookEventFacts>;

export type HookEventName = keyof typeof hookEvents;

export const hookEventNames = Object.keys(hookEvents) as HookEventName[];

/** The events in the order in which the CLI names them when there is none of a name. */
export const EVENTS_TOLD: readonly HookEventName[] = [
  ...([
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'Notification',
    'UserPromptSubmit',
  ] as const),
  ...(['UserPromptExpansion', 'SessionStart', 'SessionEnd', 'Stop', 'StopFailure', 'SubagentStart'] as const),
  ...(['SubagentStop', 'PreCompact', 'PostCompact', 'PreModelSwitch', 'PostModelSwitch'] as const),
  ...(['PermissionRequest', 'PermissionDenied', 'Setup', 'TeammateIdle', 'TaskCreated', 'TaskCompleted'] as const),
  ...(['Elicitation', 'ElicitationResult', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove'] as const),
  ...(['InstructionsLoaded', 'CwdChanged', 'FileChanged'] as const),
];

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name);
}

/** The facts of an event. An event that a newer CLI may have is taken for one that blocks nothing. */
export function hookEventFacts(name: string): HookEventFacts {
  if (isHookEventName(name)) return hookEvents[name];
  return { summary: '', matches: undefined, exitTwo: 'none', source: 'documented' };
}

/** The event of a hook by its name in the stream: `PreToolUse:Bash` is one of PreToolUse. */
export function eventOfHook(name: string): string {
  return name.split(':', 1)[0] ?? name;
}

/** Whether the CLI tells nobody that hooks of the event run. */
export function isUntold(name: string): boolean {
  return hookEventFacts(name).untold === true;
}

/** Is its matcher compared with the name of a tool? */
export function isToolEvent(name: string): boolean {
  return hookEventFacts(name).matches === 'tool_name';
}
