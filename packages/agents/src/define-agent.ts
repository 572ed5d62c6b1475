import type { Environment, Outcome } from '@understudy/kit';
import type { ServedClient } from '@understudy/model';
import { nameTools, type ToolNames } from '@understudy/script';
import type { AgentDriver, Stage } from './driver.js';
import type { Machine } from './machine.js';

/** All that we know of one CLI. What is heavy is loaded when it is needed. */
export interface AgentDefinition {
  /** As people choose it: `claude`. */
  readonly name: string;
  /** The program's name on PATH. */
  readonly program: string;
  /** Absent where it is not on npm. */
  readonly npm?: NpmDistribution;
  /** How it is started, where it is in one place and nowhere else. */
  readonly command?: readonly string[];
  /** The version of what `command` starts; absent where it is asked. */
  readonly version?: string;
  /** It runs on Node, and so does its stand-in: both report errors in the words of Node's engine. */
  readonly runsOnNode?: true;
  readonly stages: readonly Stage[];
  /** What it takes for the prompt: of the words behind the program's name, and of stdin. Fails where they are wrong. */
  promptOf(words: readonly string[], stdin: string): string;
  /** Where a program calls it. */
  readonly called: CalledByPrograms;
  /** Variables that its stand-in wants to see, where there is one. */
  readonly standInVariables?: Environment;
  /** What it keeps at the top of a project's `.git`. */
  readonly gitFiles?: readonly string[];
  /** It loads plugins, asks us whether a tool may run, and its hooks can be recorded. */
  readonly plugins?: true;
  /** It prints each text, each call and each result as they are on the wire, with the ids of the wire: so one can be held against the other. */
  readonly printsWire?: true;
  /** The vendor of its models, as OpenTelemetry calls it; absent where there are several. */
  readonly provider?: string;
  /** Its own names for generic tools, where they are not the usual ones. */
  readonly tools?: ToolNames;
  /** How it talks to a model. Absent where it cannot be pointed at one of ours. */
  readonly client?: ServedClient;
  /** The variables that carry its credentials; read in live alone. */
  readonly credentials: readonly string[];
  readonly login: Login;
  driver(): Promise<AgentDriver>;
}

/** What is to be known of a CLI where a program calls it. */
interface CalledByPrograms {
  /** The words with which it asks its model, one of them in each call; `*` stands for all but those that only print something. */
  asking: readonly string[];
  /** It reads its standard input only where there is no prompt among its words: then nobody may read it for it. */
  readsStdinForPrompt?: true;
  /** Variables by which it asks another service than its usual one, or with another login. */
  otherServices?: readonly string[];
  /** Variables of ours that a program may set itself: what we need of them is elsewhere, too. */
  programsMaySet?: readonly string[];
  /** Its home may not be in its folder for temporary files. */
  ownTemp?: true;
  /** SDKs bring it along, so that it is called wherever it is. */
  broughtBySdks?: true;
}

/** How a CLI is got from npm. */
interface NpmDistribution {
  package: string;
  /** The version that we test against. The newest is not always right: Node 20 gets old releases by a plain install. */
  pinned: string;
  /** What npm must have checked each package of this version against; of ours, `pinned-packages.json` says it. */
  integrity?: Readonly<Record<string, string>>;
  /** The files that may be its program, the best first, relative to node_modules. */
  executables(machine: Machine): string[];
}

/** How somebody is signed in to a CLI. */
interface Login {
  /** The variables that say where it keeps its own login. */
  homes: readonly string[];
  /** What a switch to a cloud provider needs besides itself. */
  clouds?: Readonly<Record<string, readonly string[]>>;
  /** How to ask it without a call of its model. None: it cannot be asked. */
  questions: readonly LoginQuestion[];
  /** Keeps it from updating itself, downloading something or sending telemetry while it is asked. */
  quiet: Environment;
  /** How to sign in, where that is more than a variable. */
  advice?: string;
}

export interface LoginQuestion {
  args: readonly string[];
  read(outcome: Outcome): LoginAnswer;
}

/** What the CLI is signed in with; `no` when it is not, `unclear` when it does not say. Never a name or an address. */
export type LoginAnswer = { with: string } | 'no' | 'unclear';

/** An agent that can be pointed at a model of ours. */
export interface ServedDefinition extends AgentDefinition {
  readonly client: ServedClient;
}

export function defineAgent(definition: ServedDefinition): ServedDefinition;
export function defineAgent(definition: AgentDefinition): AgentDefinition;
export function defineAgent(definition: AgentDefinition): AgentDefinition {
  if (definition.tools !== undefined) nameTools(definition.tools);
  return definition;
}
