import type { Enclosure, Environment, OutputBudget, UntrustedFolder } from '@understudy/kit';
import type { RealModelSettings } from '@understudy/model';
import type { HookRecorder } from './claude/hook-recorder.js';
import type { EventBody, Reportable, TurnEnded } from './events.js';
import type { Key } from './terminal/keys.js';
import type { Sought } from './terminal/terminal.js';
import type { TurnReader } from './turn-reader.js';

/** Where a conversation is played. */
export const stages = ['sim', 'scripted', 'replay', 'live'] as const;

export type Stage = (typeof stages)[number];

/** What a tool wants to do. */
export interface PermissionRequest {
  tool: string;
  input: Record<string, unknown>;
  callId?: string;
}

export type PermissionDecision =
  | { behavior: 'allow'; input?: Record<string, unknown> }
  | { behavior: 'deny'; message: string };

/** Who answers when the CLI asks whether a tool may run. */
export type PermissionPolicy = (request: PermissionRequest) => PermissionDecision | Promise<PermissionDecision>;

/** The model that a CLI is to talk to. */
export type ModelAccess =
  /** A server of ours on loopback, and the key that it demands. */
  | { kind: 'loopback'; url: string; key: string; retries?: number; real?: RealModelSettings }
  /** The stand-in plays this scenario file by itself. */
  | { kind: 'scenario'; file: string; retries?: number }
  /** The real one, with these variables of the user's environment. */
  | { kind: 'live'; environment: Environment };

export interface StartOptions {
  /** The program: real, or the stand-in. */
  found: { agent: string; command: string[]; version?: string };
  stage: Stage;
  model: ModelAccess;
  /** The project folder. */
  cwd: string;
  /** An empty folder that becomes the CLI's HOME. */
  home: string;
  emit: (event: EventBody) => void;
  permissions: PermissionPolicy;
  /** Folders of plugins to load (Claude Code). */
  plugins?: readonly string[];
  /** A stored session to go on with. */
  resume?: string;
  modelName?: string;
  /** More arguments and variables, for what is special about one CLI. */
  args?: readonly string[];
  environment?: Environment;
  /** Records hooks on their own side (Claude Code). */
  recorder?: HookRecorder;
  deadlines: Deadlines;
  /** Ends the start. */
  signal?: AbortSignal;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  /** What it may write. */
  output?: OutputBudget;
}

/** After these many milliseconds the whole process group is killed; what was seen is kept. */
export interface Deadlines {
  startMs: number;
  /** For the session's MCP servers to come up, before the first prompt; the CLI itself gives them 30 s. */
  serversMs: number;
  turnMs: number;
  endMs: number;
}

export const defaultDeadlines: Deadlines = { startMs: 60_000, serversMs: 25_000, turnMs: 180_000, endMs: 10_000 };

/** A started agent. */
export interface AgentSession {
  /** How to resume it later; some CLIs report it only in the first turn. */
  readonly sessionId: string | undefined;
  /** The CLI's process while it runs. */
  readonly pid: number | undefined;
  /** Waits until what the session starts beside itself, such as MCP servers, is up or has failed. */
  settled?(): Promise<void>;
  /** Says something and waits for the turn's end. One turn at a time. */
  send(text: string, options?: { deadlineMs?: number }): Promise<TurnEnded>;
  /** Stops the turn under way; it ends as `interrupted`. */
  interrupt(): Promise<void>;
  /** Types, presses keys and waits, where the agent runs in a terminal. */
  act?(action: TerminalAction, options?: { deadlineMs?: number }): Promise<TurnEnded>;
  /** The terminal's screen as SVG. */
  picture?(): string;
  /** Asks the CLI itself while it runs: `mcp_status`, `get_hooks_listing` … Absent where the CLI cannot be asked. */
  control?(subtype: string, fields?: Record<string, unknown>): Promise<unknown>;
  /** Ends the session politely, then by force. Safe to call twice. */
  end(): Promise<void>;
}

/** What is done at a terminal: in this order, as far as given. */
export interface TerminalAction {
  type?: string;
  press?: readonly Key[];
  /** Absent, the action is over when the screen is quiet. */
  waitFor?: Sought;
}

export interface TerminalSize {
  columns?: number | undefined;
  rows?: number | undefined;
}

interface TerminalStart {
  command: readonly string[];
  env: Environment;
}

/** How a CLI is started in a terminal. */
export interface TerminalProgram {
  /** `temp` becomes its folder for temporary files. */
  start(options: StartOptions, temp: string): TerminalStart | Promise<TerminalStart>;
  /** It can be typed at when its screen shows this. */
  ready: RegExp;
  /** Looks at what it writes elsewhere: a screen does not show what was done. */
  observe?(options: StartOptions): TerminalObserver;
}

/** What is known of a CLI in a terminal beside its screen. */
export interface TerminalObserver {
  reports: readonly Reportable[];
  /** What happened since the last look. */
  read(): EventBody[];
}

/** Reads the output of a call. */
export interface CallReader {
  reader: TurnReader;
  /** What such output contains. */
  reports: readonly Reportable[];
}

/** What the user said in a session, and all that happened up to what they said next, as the CLI wrote it down. */
export interface TranscriptTurn {
  at: number;
  cwd: string;
  prompt: string;
  events(stage: Stage): EventBody[];
}

/** A home in which programs call a CLI. */
export interface HomeOfCalls {
  home: string;
  command: readonly string[];
  version: string;
  model: ModelAccess;
  /** The folder in which programs run in a terminal, and the keys that their calls have. */
  terminal?: { cwd: string; keys: readonly string[] };
}

/** How a CLI is started and read, behind the interface that all share. */
export interface AgentDriver<Session extends AgentSession = AgentSession> {
  /**
   * Reads the output of a call that somebody else made, with these arguments. Undefined where such output does not
   * report what the agent did, as plain text does not.
   */
  readCall(args: readonly string[], stage: Stage): CallReader | undefined;
  start(options: StartOptions): Promise<Session>;
  /** Prepares a home in which programs call it, beside what leads it to its model. */
  prepareHome?(home: HomeOfCalls): void | Promise<void>;
  /** The turns of its own transcripts in a home. */
  transcriptTurns?(home: UntrustedFolder): TranscriptTurn[];
  /** Absent where it has no screen, or none that we know. */
  readonly terminal?: TerminalProgram;
}
