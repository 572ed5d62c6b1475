import * as z from 'zod/mini';

/**
 * The one record of what happens in a conversation. Drivers write these events, whatever the CLI;
 * states, stages, context, checks and reports read them. A stored log is one of them per line.
 */

const named = z.object({ name: z.string(), path: z.optional(z.string()), version: z.optional(z.string()) });

/** Set on what a subagent said or did: the tool call that started it, and its name where known. */
const bySubagent = { parent: z.optional(z.string()), agent: z.optional(z.string()) };

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
});

/** What an agent may report about itself. What it does not report cannot be checked. */
export const reportableSchema = z.enum([
  'tools',
  'hooks',
  'permissions',
  'commands',
  'plugins',
  'mcp_servers',
  'subagents',
  /** Hooks of SessionEnd, PreCompact and some more: the CLI does not report them, their own side does. */
  'untold_hooks',
]);

const bodies = {
  /** The agent is there. It may come again when the CLI reports more. */
  session: z.object({
    type: z.literal('session'),
    agent: z.string(),
    version: z.optional(z.string()),
    stage: z.string(),
    sessionId: z.optional(z.string()),
    cwd: z.string(),
    model: z.optional(z.string()),
    mode: z.optional(z.string()),
    tools: z.optional(z.array(z.string())),
    commands: z.optional(z.array(z.string())),
    agents: z.optional(z.array(z.string())),
    skills: z.optional(z.array(z.string())),
    plugins: z.optional(z.array(named)),
    pluginErrors: z.optional(
      z.array(z.object({ plugin: z.string(), message: z.string(), kind: z.optional(z.string()) })),
    ),
    /** `error`: why it is not connected, with what it wrote to stderr. */
    mcpServers: z.optional(z.array(z.object({ name: z.string(), status: z.string(), error: z.optional(z.string()) }))),
    /** What events this agent writes on this stage; absent where that is not known. */
    reports: z.optional(z.array(reportableSchema)),
  }),
  /** What the user said. */
  prompt: z.object({ type: z.literal('prompt'), id: z.string(), text: z.string() }),
  /** The prompt was a slash command: known to the CLI, or unknown. */
  command: z.object({
    type: z.literal('command'),
    /** As the user typed it, with the slash. */
    typed: z.string(),
    /** As the CLI knows it: `agent-loop:explore`. */
    name: z.string(),
    args: z.string(),
    status: z.enum(['expanded', 'local', 'unknown']),
    /** For an unknown one: what the CLI knows that is near. */
    similar: z.optional(z.array(z.string())),
  }),
  /** What a command became before the model saw it. */
  expansion: z.object({ type: z.literal('expansion'), name: z.string(), text: z.string() }),
  text: z.object({ type: z.literal('text'), text: z.string(), ...bySubagent }),
  thinking: z.object({ type: z.literal('thinking'), text: z.string(), ...bySubagent }),
  tool_call: z.object({
    type: z.literal('tool_call'),
    id: z.string(),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...bySubagent,
  }),
  tool_result: z.object({
    type: z.literal('tool_result'),
    id: z.string(),
    tool: z.string(),
    text: z.string(),
    /** `denied`: a permission said no. `blocked`: a hook did. Both never ran. */
    status: z.enum(['ok', 'error', 'denied', 'blocked']),
    exitCode: z.optional(z.number()),
    /** Of one that never ran: why, in the CLI's word: `rule`, `subcommandResults`, `mode`, `hook` … */
    why: z.optional(z.string()),
    ...bySubagent,
  }),
  permission: z.object({
    type: z.literal('permission'),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    callId: z.optional(z.string()),
    decision: z.enum(['allow', 'deny']),
    message: z.optional(z.string()),
    /** Why it asked, in the CLI's word: `rule`, `safetyCheck` …; absent where nothing allowed the call. */
    why: z.optional(z.string()),
  }),
  hook_started: z.object({ type: z.literal('hook_started'), id: z.string(), name: z.string(), event: z.string() }),
  hook_finished: z.object({
    type: z.literal('hook_finished'),
    id: z.string(),
    name: z.string(),
    event: z.string(),
    stdout: z.string(),
    stderr: z.string(),
    exitCode: z.optional(z.number()),
    outcome: z.string(),
    /** What it was given, where hooks are recorded. */
    payload: z.optional(z.record(z.string(), z.unknown())),
    /** It kept something from happening. */
    blocked: z.boolean(),
    /** Why it objected, in its own words. */
    reason: z.optional(z.string()),
  }),
  subagent_started: z.object({
    type: z.literal('subagent_started'),
    id: z.string(),
    agent: z.string(),
    prompt: z.optional(z.string()),
    callId: z.optional(z.string()),
    background: z.boolean(),
  }),
  subagent_finished: z.object({
    type: z.literal('subagent_finished'),
    id: z.string(),
    status: z.string(),
    summary: z.optional(z.string()),
  }),
  /** The CLI asks its model once more. */
  retry: z.object({ type: z.literal('retry'), attempt: z.number(), message: z.string() }),
  notice: z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), text: z.string() }),
  interrupt: z.object({ type: z.literal('interrupt') }),
  /** The end of a turn, judged by what was seen. An exit code never makes it a success. */
  turn_ended: z.object({
    type: z.literal('turn_ended'),
    outcome: z.enum(['completed', 'failed', 'interrupted', 'timed_out', 'died']),
    /** Why it is not `completed`, as a word: `unknown_command`, `api_error`, `rejected_tool` … */
    reason: z.optional(z.string()),
    message: z.optional(z.string()),
    usage: z.optional(usageSchema),
    costUsd: z.optional(z.number()),
    modelTurns: z.optional(z.number()),
    milliseconds: z.number(),
  }),
  /** A file of the project is not what it was before the turn. Text is kept where it is short enough. */
  file_changed: z.object({
    type: z.literal('file_changed'),
    path: z.string(),
    change: z.enum(['created', 'modified', 'deleted']),
    before: z.optional(z.string()),
    after: z.optional(z.string()),
  }),
  /** What the turn did to the files of the project is unknown. */
  files_not_watched: z.object({
    type: z.literal('files_not_watched'),
    message: z.string(),
    fix: z.optional(z.string()),
  }),
  /** More was written than is kept. The agent was stopped; of `requests` only the file of the journal ends early. */
  output_cut: z.object({
    type: z.literal('output_cut'),
    scope: z.enum(['turn', 'conversation', 'run', 'program', 'requests']),
    limitBytes: z.number(),
  }),
  /** Something that was to be read back is no plain file of ours any more, or is too long: it was not read. */
  unreadable: z.object({ type: z.literal('unreadable'), path: z.string(), reason: z.string() }),
  /** What the terminal showed at the end of a step. Rows and columns count from 1. */
  screen: z.object({
    type: z.literal('screen'),
    text: z.string(),
    cursor: z.object({ row: z.number(), column: z.number() }),
    /** Text that does not look like the terminal's own. */
    marks: z.array(
      z.object({
        row: z.number(),
        column: z.number(),
        text: z.string(),
        /** `#rrggbb` */
        color: z.optional(z.string()),
        background: z.optional(z.string()),
        bold: z.optional(z.boolean()),
        italic: z.optional(z.boolean()),
        underline: z.optional(z.boolean()),
        dim: z.optional(z.boolean()),
        inverse: z.optional(z.boolean()),
      }),
    ),
  }),
  /** How far the agent is kept apart from this machine. Absent where it is not, but for the log of `exec`. */
  isolation: z.object({
    type: z.literal('isolation'),
    level: z.string(),
    /** Why it is not more. */
    reason: z.optional(z.string()),
    /** Folders in whose place it finds empty ones. */
    hidden: z.array(z.string()),
    /** Folders that it may change. */
    writable: z.array(z.string()),
  }),
  /** It tried to reach what it must not reach, and did not. */
  escape: z.object({
    type: z.literal('escape'),
    /** `list`: it read the names in a folder. `unwatched`: nobody knows what it tried. The others are limits. */
    kind: z.enum([
      'network',
      'list',
      'read',
      'write',
      'unwatched',
      'processes',
      'memory',
      'written',
      'disk',
      'uncounted',
    ]),
    text: z.string(),
    /** The tool call during which it was seen. */
    callId: z.optional(z.string()),
    tool: z.optional(z.string()),
  }),
  commit: z.object({ type: z.literal('commit'), hash: z.string(), message: z.string(), files: z.array(z.string()) }),
  process_ended: z.object({
    type: z.literal('process_ended'),
    code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    /** Nobody asked it to end. */
    unexpected: z.boolean(),
    killedBy: z.optional(z.string()),
    stderr: z.optional(z.string()),
    /** What it had started and did not end, as command lines; absent where that was not looked at. */
    leftovers: z.optional(z.array(z.string())),
  }),
  /** A program that a `run` step started, when it had ended. */
  program: z.object({
    type: z.literal('program'),
    command: z.array(z.string()),
    cwd: z.string(),
    code: z.nullable(z.number()),
    signal: z.nullable(z.string()),
    stdout: z.string(),
    stderr: z.string(),
    milliseconds: z.number(),
    /** The harness ended it at its deadline. */
    timedOut: z.boolean(),
    /** What it had started and did not end, as command lines. */
    leftovers: z.optional(z.array(z.string())),
  }),
  /** A program called an agent, or asked a model itself. What happened in the call follows, with its number. */
  call: z.object({
    type: z.literal('call'),
    agent: z.string(),
    command: z.array(z.string()),
    cwd: z.optional(z.string()),
    pid: z.optional(z.number()),
    /** The process that started it. */
    parent: z.optional(z.object({ pid: z.number(), command: z.string() })),
    stdin: z.optional(z.string()),
    startedAt: z.iso.datetime(),
    endedAt: z.optional(z.iso.datetime()),
    code: z.optional(z.nullable(z.number())),
    signal: z.optional(z.nullable(z.string())),
  }),
  session_ended: z.object({ type: z.literal('session_ended'), reason: z.string() }),
  /** Something that the CLI wrote and we do not know. Nothing is thrown away. */
  unknown: z.object({ type: z.literal('unknown'), kind: z.string(), data: z.unknown() }),
} as const;

/** What a driver reports: the event without its place in the log. */
const eventBodySchema = z.discriminatedUnion('type', [
  bodies.session,
  bodies.prompt,
  bodies.command,
  bodies.expansion,
  bodies.text,
  bodies.thinking,
  bodies.tool_call,
  bodies.tool_result,
  bodies.permission,
  bodies.hook_started,
  bodies.hook_finished,
  bodies.subagent_started,
  bodies.subagent_finished,
  bodies.retry,
  bodies.notice,
  bodies.interrupt,
  bodies.turn_ended,
  bodies.file_changed,
  bodies.files_not_watched,
  bodies.output_cut,
  bodies.unreadable,
  bodies.screen,
  bodies.isolation,
  bodies.escape,
  bodies.commit,
  bodies.process_ended,
  bodies.program,
  bodies.call,
  bodies.session_ended,
  bodies.unknown,
]);

/** What a user's reader of an output may report. */
export const readerEventSchema = z.discriminatedUnion('type', [
  bodies.text,
  bodies.thinking,
  bodies.tool_call,
  bodies.tool_result,
  bodies.subagent_started,
  bodies.subagent_finished,
  bodies.retry,
  bodies.notice,
  bodies.unknown,
]);

/** Where an event stands: its number, its time, and its turn. 0 is the start; the number behind the last turn is the end. */
const eventPlaceSchema = z.object({
  seq: z.int().check(z.minimum(0)),
  at: z.iso.datetime(),
  turn: z.int().check(z.minimum(0)),
  /** The `run` step that it belongs to; absent for what happens in the conversation of the rehearsal itself. */
  step: z.optional(z.int().check(z.minimum(1))),
  /** The call in that step. */
  call: z.optional(z.int().check(z.minimum(1))),
});

/** An event as it is stored. */
export const eventSchema = z.intersection(eventPlaceSchema, eventBodySchema);

export type Reportable = z.infer<typeof reportableSchema>;
export type EventBody = z.infer<typeof eventBodySchema>;
/** What the reader of an agent's output may report. */
export type AgentEvent = z.infer<typeof readerEventSchema>;
export type EventType = EventBody['type'];
export type EventBodyOf<T extends EventType> = Extract<EventBody, { type: T }>;
export type ConversationEvent = z.infer<typeof eventSchema>;
export type EventOf<T extends EventType> = z.infer<typeof eventPlaceSchema> & EventBodyOf<T>;
export type TokenUsage = z.infer<typeof usageSchema>;
export type TurnEnded = EventBodyOf<'turn_ended'>;
