import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@understudy/kit';
import type { ScenarioDocument, SlashCommand } from '@understudy/script';
import type { AgentEnvironment, EnvironmentOptions, ServerAccess } from '../environment.js';
import type { WireRequest, WireToolResult } from '../wire/protocol.js';

/** What a hook asks the model. */
export interface HookQuestion {
  /** With `prompt` it wants an answer at once, with `agent` the model can look first. */
  kind: 'prompt' | 'agent';
  /** The event, with its subject: `PreToolUse:Bash`. */
  name: string;
  event: string;
  /** What the hook has written, filled in. */
  text: string;
  /** What the hook is about. */
  payload: JsonObject;
}

/** What a hook asks, and the same as a prompt for a script. */
export interface HookPrompt extends HookQuestion {
  prompt: { text: string; hook: string; cwd?: string; agent?: string };
}

/** What a CLI asks the model in the user's name, outside the conversation: the next prompt, or what it is doing. */
export type OwnQuestion = 'suggestion' | 'progress';

/** What the headers contain about the conversation that a request belongs to. */
export interface Identity {
  /** The conversation, where the client names it. */
  session?: string | undefined;
  /** Which of the agents in that session speaks; absent for the main one. */
  agentId?: string | undefined;
  /** The agent's name, where the client sends it. */
  agentName?: string | undefined;
  /** The client says that no user caused this request, and what did. */
  errand?: string | undefined;
}

/** What the user wrote in one message, without what the CLI added to it. */
export interface Authored {
  text: string;
  command?: SlashCommand;
}

/** The tool results that stand before a text, and whether they are in the same entry as the text. */
export interface TextsBehind {
  results: readonly WireToolResult[];
  sameEntry: boolean;
}

/** How one CLI dresses up what its user says. */
export interface Client {
  readonly name: string;
  recognizes(headers: IncomingHttpHeaders): boolean;
  identify(headers: IncomingHttpHeaders): Identity;
  /** The user's own messages in an entry, oldest first: a CLI may put several into one. */
  authored(texts: readonly string[]): Authored[];
  /** The folder that the agent works in, as the model receives it. */
  workingFolder(request: WireRequest): string | undefined;
  /** Whether a tool result reports a failure, where the protocol has no sign for it. */
  reportsFailure(result: string): boolean;
  /** What hooks write in the CLI's own notes to the model. Absent for a CLI without hooks. */
  hookNotes?(notes: readonly string[]): string[];

  /** Prompts that the user sent while the agent worked, among the notes of the CLI next to tool results. */
  midTurnPrompts?(notes: readonly string[]): string[];
  /** What a hook asks here, if a hook does. */
  hookQuestion?(asked: string, system: () => string): HookPrompt | undefined;
  /** What the CLI asks in the user's name, outside the conversation, if this is no prompt of the user. */
  ownQuestion?(prompt: string): OwnQuestion | undefined;
  /** The answer to a request that no user has caused, if this is one. */
  ownAnswer?(request: WireRequest): string | undefined;
  /** Whether this is no prompt of the user: the CLI wants words of a model that has said nothing. */
  wantsWords?(prompt: string): boolean;
  /** The prompt in texts that follow tool results. Undefined if the texts belong to the results. */
  promptBehind(texts: readonly string[], behind: TextsBehind): Authored | undefined;
  /** Generic tools that it always has: one that it does not offer is forbidden. */
  readonly ownTools?: readonly string[];
  /** Tools that it offers only where somebody could answer: in a terminal, or over its control channel. */
  readonly modeTools?: readonly string[];
  /** Does the CLI itself ask here for the rest of an answer that was cut off? */
  resumes?(texts: readonly string[]): boolean;
}

/** A real API, and how one signs in to it. */
export interface Upstream {
  /** Its address; paths of requests are added to it. */
  baseUrl: string;
  /** Headers with the key. Undefined: the client signs in by itself. */
  login?: Record<string, string>;
  /** What the address of the recorder has in the place of `baseUrl`, besides its prefix. */
  localPath: string;
}

/** What real APIs a CLI asks, where it has a configuration of its own for that. */
export interface OwnApis {
  /** Those that the environment leads to, by the names that they have in addresses of the recorder. */
  upstreams(environment: NodeJS.ProcessEnv): [name: string, upstream: Upstream][];
  /** Its configuration for the recorder and for replay, without addresses and keys; of all known names, its own matter. */
  configuration(environment: NodeJS.ProcessEnv, names: readonly string[]): JsonObject | undefined;
}

/** A CLI that can be pointed at the server. */
export interface ServedClient extends Client {
  /** What points it at a server: scratch HOME and clean environment are the caller's part. */
  environment(server: ServerAccess, options: EnvironmentOptions): AgentEnvironment;
  /** How often it is to repeat a failed request of a script, where that can be said. */
  retries?(document: ScenarioDocument): number;
  /** Variables that say which real model is asked, and where: no keys. */
  readonly modelVariables?: RegExp;
  readonly apis?: OwnApis;
}
