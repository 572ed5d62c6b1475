import { type Stamped, stampPart } from '@understudy/kit';
import type { ProtocolName } from '@understudy/model';
import type { ToolNames } from '@understudy/script';
import type { AgentEvent, Reportable } from '../events.js';
import type { Machine } from '../machine.js';
import type { TurnVerdict } from '../turn-reader.js';

/** A turn that is to be started. */
export interface AgentTurn {
  /** What the user says. */
  prompt: string;
  /** The session that goes on: what the reader reported in the turn before. Absent in the first turn. */
  session?: string | undefined;
  /** The model that the test asks for: it must be among the words. */
  model?: string | undefined;
  /** Words that must be among those of the command line: what `model()` gave, and what the test wants. */
  args: readonly string[];
}

/** Where the model is. */
export interface ModelEndpoint {
  /** The base URL, as the SDKs of the agent's `protocol` want it. */
  baseUrl: string;
  /** Pass it on in a variable: so each request names the call that it belongs to. */
  key: string;
  /** The requests are answered by a real model, or by a recording of one: name that model. */
  real: boolean;
}

/** What points an agent at a model. */
export interface ModelSettings {
  env?: Readonly<Record<string, string>>;
  /** Files for its home, by their path in it. */
  files?: Readonly<Record<string, string>>;
  /** More words for its command line: `arguments()` gets them. */
  args?: readonly string[];
}

/** Reads the output of one turn. */
export interface AgentReader {
  /** One line of stdout: what happened. Give `unknown` for what you do not know, so that nothing is lost. */
  read(line: string): readonly AgentEvent[];
  /** The output has ended: how did the turn end? Judge by what was read; an exit code of 0 proves nothing. */
  verdict(exit: { code: number | null; signal: string | null }, stderr: string): TurnVerdict;
  /** The name of the session, once it is known. */
  readonly sessionId?: string | undefined;
}

/** A request to the model, as far as it shows whether a user has caused it. */
export interface ModelRequest {
  /** The last texts in the user's role, as they came. */
  text: string;
  /** The system prompt that the model receives. */
  system: string;
  /** The names of the tools that it offers. */
  tools: readonly string[];
}

/** An agent of your own. Functions give their result at once, never a promise. */
export interface OwnAgent {
  /** As people choose it: `agent = "grok"`. */
  readonly name: string;
  /** The name of its program on PATH. By default `name`. */
  readonly program?: string;
  /** How `understudy agents add` gets it. */
  readonly npm?: {
    readonly package: string;
    /** The version that you test with. */
    readonly version: string;
    /** The program, relative to node_modules; what differs from machine to machine is a function, the best first. */
    readonly program: string | ((machine: Pick<Machine, 'platform' | 'arch' | 'musl'>) => readonly string[]);
    /** The checksum of each package, as `npm view PACKAGE@VERSION dist.integrity` says it: others are refused. */
    readonly integrity?: Readonly<Record<string, string>>;
  };
  /** How it is started, where it is neither on npm nor on PATH. Words that begin with `./` are relative to the module. */
  readonly command?: readonly string[];
  /** The version of what `command` starts. By default it is asked for its `--version`. */
  readonly version?: string;
  /** The words of its command line for one turn. Each turn is a process of its own. */
  readonly arguments: (turn: AgentTurn) => readonly string[];
  /** What it reads from stdin in a turn. By default nothing. */
  readonly stdin?: (prompt: string) => string;
  /** The model API that it speaks. */
  readonly protocol: ProtocolName;
  /** What points it at a model. Its HOME is an empty folder, and its environment is clean. */
  readonly model: (endpoint: ModelEndpoint) => ModelSettings;
  /** A reader for the output of a turn. Undefined where its output with these words does not show what it did. */
  readonly reader: (words: readonly string[]) => AgentReader | undefined;
  /** What the reader reports. A check of what it does not report is unjudged, never green. */
  readonly reports?: readonly Extract<Reportable, 'tools' | 'subagents'>[];
  /** Variables, besides HOME, that say where it keeps its things. */
  readonly homes?: readonly string[];
  /** Variables that carry its keys. Without, it is not played on the stage `live`. */
  readonly credentials?: readonly string[];
  /** Its own names for the generic tools and their arguments, where they are not the usual ones. */
  readonly tools?: Partial<ToolNames>;
  /** The prompt, where a program calls it. By default what stands behind `-p` or `--prompt`, the last word, or stdin. */
  readonly promptOf?: (words: readonly string[], stdin: string) => string;
  /** What its requests have as their user agent. Needed for `unwrap` and `ownRequest`. */
  readonly userAgent?: RegExp;
  /** What the user said in a text of the user's role: without what the agent puts around it. Undefined: nothing. */
  readonly unwrap?: (text: string) => string | undefined;
  /** The answer to a request that no user has caused, such as one for a title. Undefined: it is an ordinary one. */
  readonly ownRequest?: (request: ModelRequest) => string | undefined;
}

/** Defines an agent of your own. It is the default export of a module that `agents` in understudy.toml names. */
export function defineAgent(agent: OwnAgent): OwnAgent & Stamped {
  return stampPart('agent', agent);
}
