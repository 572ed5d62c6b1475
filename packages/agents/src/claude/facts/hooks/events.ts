/** What the CLI does when a hook of an event ends with exit code 2. */
export type ExitTwoEffect =
  /** What was about to happen does not happen. At Stop and SubagentStop that is the end of the work. */
  | 'blocks'
  /** It already happened. The model reads what the hook wrote on stderr. */
  | 'feedback'
  /** Nothing changes, and the model receives nothing. The user may be shown the text. */
  | 'none';

/** What is true of one hook event. */
export interface HookEventFacts {
  /** How the CLI describes it in its own list of events. */
  summary: string;
  /** The field of the payload that a matcher is compared with. Without one, the matcher is ignored. */
  matches: string | undefined;
  /** The values of that field, where the CLI has a list of its own. */
  values?: readonly string[];
  exitTwo: ExitTwoEffect;
  /** Where `exitTwo` comes from: the real CLI in test/long/claude-facts-hooks.test.ts, or its public docs. */
  source: 'seen' | 'documented';
  /** Plain text on stdout (exit code 0, no JSON) is context for the model. */
  stdoutIsContext?: true;
  /** What the payload contains of the session: the permission mode, the effort, or both. */
  tells?: 'mode' | 'effort' | 'mode and effort';
  /** In the stream its hooks are named with the subject: `PreToolUse:Bash`. */
  namedBySubject?: true;
  /** The CLI does not report that its hooks run: only their own side knows. */
  unreported?: true;
  /** The model does not see its hooks, or sees them elsewhere: in the result of a tool, or as what `/compact` prints. */
  unseen?: true;
  /** Its hooks can give the model context: that of each, or of all of them in one text. */
  context?: 'each' | 'joined';
  /** `"continue": false` ends the turn. */
  canStop?: true;
  /** An objection lets the agent go on. */
  goesOn?: true;
  /** Its hooks cannot object by failing. */
  failsOpen?: true;
  /** A hook that cannot be loaded may be what guards something. */
  guards?: true;
  /** The payload names the server of a tool. */
  tellsServer?: true;
  /** It happens before the first prompt of a conversation. */
  beforePrompts?: true;
  /** The part of a conversation in which it happens; without one, anywhere. */
  place?: 'start' | 'step' | 'end';
  /** Hooks that the CLI cannot ask then: before a session has begun, or after its end. */
  unsupportedTypes?: readonly AskingType[];
  /** Its hooks may say what commands of the shell find in their environment; the lowest number is read first. */
  environment?: number;
  /** The stand-in never fires it. */
  unplayed?: true;
}

/** Kinds of hooks that ask somebody. */
export type AskingType = 'prompt' | 'agent' | 'http' | 'mcp_tool';

const ALL_ASKING = ['prompt', 'agent', 'http', 'mcp_tool'] as const;
const plain = { matches: undefined, source: 'seen' } as const;
const step = { place: 'step' } as const;
const working = { tells: 'mode and effort', ...step } as const;
const tool = { matches: 'tool_name', source: 'seen', namedBySubject: true, ...working } as const;
const prompt = { exitTwo: 'blocks', source: 'seen', stdoutIsContext: true, tells: 'mode', context: 'each' } as const;
const agent = { matches: 'agent_type', source: 'seen', context: 'each', ...step } as const;
const compaction = {
  matches: 'trigger',
  values: ['manual', 'auto'],
  source: 'seen',
  unreported: true,
  ...step,
} as const;
const model = { matches: 'to_model', source: 'seen', namedBySubject: true, unseen: true, unplayed: true } as const;
const server = { matches: 'mcp_server_name', source: 'seen', unseen: true, unplayed: true } as const;
const end = { canStop: true, goesOn: true, failsOpen: true } as const;

/** Every hook event of the pinned Claude Code, in the order in which it names them when there is none of a name. */
export const hookEvents = {
  PreToolUse: {
    ...tool,
    summary: 'Before tool execution',
    exitTwo: 'blocks',
    context: 'joined',
    canStop: true,
    tellsServer: true,
    guards: true,
  },
  PostToolUse: {
    ...tool,
    summary: 'After tool execution',
    exitTwo: 'feedback',
    context: 'each',
    canStop: true,
    tellsServer: true,
  },
  PostToolUseFailure: {
    ...tool,
    summary: 'After tool execution fails',
    exitTwo: 'feedback',
    context: 'each',
    tellsServer: true,
  },
  PostToolBatch: {
    ...plain,
    ...working,
    summary: 'After a batch of tool calls resolves',
    exitTwo: 'blocks',
    context: 'each',
    canStop: true,
  },
  // In print mode only servers that ask the user cause one.
  Notification: {
    summary: 'When notifications are sent',
    matches: 'notification_type',
    exitTwo: 'none',
    source: 'seen',
    unseen: true,
    unplayed: true,
  },
  UserPromptSubmit: { ...prompt, ...step, summary: 'When the user submits a prompt', matches: undefined },
  UserPromptExpansion: {
    ...prompt,
    ...step,
    summary: 'When a user-typed slash command expands into a prompt',
    matches: 'command_name',
  },
  SessionStart: {
    summary: 'When a new session is started',
    matches: 'source',
    values: ['startup', 'resume', 'clear', 'compact', 'fork'],
    exitTwo: 'none',
    source: 'seen',
    stdoutIsContext: true,
    namedBySubject: true,
    context: 'joined',
    place: 'start',
    beforePrompts: true,
    unsupportedTypes: ALL_ASKING,
    environment: 1,
  },
  SessionEnd: {
    summary: 'When a session is ending',
    matches: 'reason',
    // The last one is of older releases.
    values: ['clear', 'resume', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'],
    exitTwo: 'none',
    source: 'seen',
    unreported: true,
    unseen: true,
    place: 'end',
    unsupportedTypes: ['prompt', 'agent', 'mcp_tool'],
  },
  Stop: {
    ...plain,
    ...working,
    ...end,
    summary: 'Right before Claude concludes its response',
    exitTwo: 'blocks',
    context: 'each',
  },
  StopFailure: {
    ...step,
    summary: 'When the turn ends due to an API error',
    matches: 'error',
    exitTwo: 'none',
    source: 'seen',
    tells: 'effort',
    unseen: true,
  },
  SubagentStart: {
    ...agent,
    summary: 'When a subagent (Agent tool call) is started',
    exitTwo: 'none',
    namedBySubject: true,
    unsupportedTypes: ['prompt', 'agent'],
  },
  SubagentStop: {
    ...agent,
    ...working,
    ...end,
    summary: 'Right before a subagent (Agent tool call) concludes its response',
    exitTwo: 'blocks',
  },
  PreCompact: { ...compaction, summary: 'Before conversation compaction', exitTwo: 'blocks' },
  PostCompact: { ...compaction, summary: 'After conversation compaction', exitTwo: 'none' },
  PreModelSwitch: {
    ...model,
    summary: 'Before a requested model switch (/model, model picker, set_model)',
    exitTwo: 'blocks',
  },
  PostModelSwitch: { ...model, summary: 'After the session model changes (any cause)', exitTwo: 'none' },
  PermissionRequest: {
    ...tool,
    summary: 'When a permission dialog is displayed',
    exitTwo: 'none',
    tellsServer: true,
    guards: true,
  },
  PermissionDenied: { ...tool, summary: 'After auto mode denies a tool call', exitTwo: 'none' },
  Setup: {
    summary: 'Repo setup hooks for init and maintenance',
    matches: 'trigger',
    values: ['init', 'maintenance'],
    exitTwo: 'none',
    source: 'seen',
    namedBySubject: true,
    unseen: true,
    place: 'start',
    beforePrompts: true,
    unsupportedTypes: ALL_ASKING,
    environment: 0,
  },
  // Agent teams need a terminal of their own.
  TeammateIdle: {
    summary: 'When a teammate is about to go idle',
    matches: undefined,
    exitTwo: 'blocks',
    source: 'documented',
    failsOpen: true,
    unplayed: true,
  },
  TaskCreated: { ...plain, summary: 'When a task is being created', exitTwo: 'blocks', unseen: true, unplayed: true },
  TaskCompleted: {
    ...plain,
    summary: 'When a task is being marked as completed',
    exitTwo: 'blocks',
    unseen: true,
    failsOpen: true,
    unplayed: true,
  },
  Elicitation: { ...server, summary: 'When an MCP server requests user input (elicitation)', exitTwo: 'blocks' },
  ElicitationResult: { ...server, summary: 'After a user responds to an MCP elicitation', exitTwo: 'blocks' },
  ConfigChange: {
    summary: 'When configuration files change during a session',
    matches: 'source',
    values: ['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'],
    exitTwo: 'blocks',
    source: 'seen',
    unplayed: true,
  },
  WorktreeCreate: {
    ...plain,
    summary: 'Create an isolated worktree for VCS-agnostic isolation',
    exitTwo: 'blocks',
    unplayed: true,
  },
  WorktreeRemove: {
    ...plain,
    summary: 'Remove a previously created worktree',
    exitTwo: 'blocks',
    unplayed: true,
  },
  InstructionsLoaded: {
    summary: 'When an instruction file (CLAUDE.md or rule) is loaded',
    matches: 'load_reason',
    values: ['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact'],
    exitTwo: 'none',
    source: 'seen',
    unreported: true,
    beforePrompts: true,
  },
  CwdChanged: {
    ...plain,
    summary: 'After the working directory changes',
    exitTwo: 'none',
    unreported: true,
    unseen: true,
    environment: 2,
  },
  FileChanged: {
    summary: 'When a watched file changes',
    matches: 'file_path',
    exitTwo: 'none',
    source: 'seen',
    environment: 3,
    unplayed: true,
  },
  // In print mode nothing can add a directory.
  DirectoryAdded: {
    summary: 'After a working directory is added mid-session',
    matches: 'source',
    exitTwo: 'none',
    source: 'documented',
    unplayed: true,
  },
  MessageDisplay: {
    ...plain,
    summary: 'While assistant message text is displayed',
    exitTwo: 'none',
    unseen: true,
  },
} as const satisfies Record<string, HookEventFacts>;

export type HookEventName = keyof typeof hookEvents;

export const hookEventNames = Object.keys(hookEvents) as HookEventName[];

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

/** Whether the CLI does not report that hooks of the event run. */
export function isUnreported(name: string): boolean {
  return hookEventFacts(name).unreported === true;
}

/** Is its matcher compared with the name of a tool? */
export function isToolEvent(name: string): boolean {
  return hookEventFacts(name).matches === 'tool_name';
}

/** Whether the CLI does not run, or cannot run, hooks of this type at this event. */
export function isUnsupportedType(event: string, type: string): boolean {
  return hookEventFacts(event).unsupportedTypes?.some((name) => name === type) === true;
}
