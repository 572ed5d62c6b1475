import type {
  ConversationEvent,
  Deadlines,
  HookRecorder,
  PermissionPolicy,
  Stage,
  TerminalSize,
} from '@understudy/agents';
import type { Environment, OutputBudget, OutputLimits } from '@understudy/kit';
import type { AskedBy, CassetteSetting, ModelServer } from '@understudy/model';
import type { Scenario, ScenarioInput } from '@understudy/script';
import type { WorkflowDocument } from './workflow/schema.js';

export interface ConversationOptions {
  /** `claude`, or with a version `claude@2.1.325`. */
  agent?: string;
  /** Where it is played; by default `scripted`. */
  stage?: Stage;
  /** On sim: no process at all. Tools are mocked; a thousand of these are done in a moment. */
  inProcess?: boolean;
  /** What the model says (sim and scripted): a file, a loaded scenario, or the document itself. */
  scenario?: string | Scenario | ScenarioInput;
  /** A model server that others use too; its script takes the scenario's place. */
  server?: ModelServer;
  /** In a sandbox, the model answers the agent alone; `any`: also hooks, servers and commands that the agent starts. */
  askedBy?: AskedBy;
  /** The recording that is played (replay), or that is written (live with `record`). */
  cassette?: string;
  /** Write what the real model says to `cassette` (live). */
  record?: boolean;
  /** What the cassette says about the test besides. */
  setting?: CassetteSetting;
  /** On replay: 1 keeps the timing of the recording, 2 is twice as fast. By default nothing waits. */
  speed?: number;
  /** On replay: from this turn on, the scenario answers; with `record`, the real model. */
  fromTurn?: number;
  /** The CLI as people see it, in a terminal of this size: `act` types at it (scripted and live). */
  terminal?: TerminalSize;
  /**
   * How far the agent is kept apart from this machine: `auto` (the best that works here), `none`, `sandbox`, `docker` or
   * `docker=IMAGE`. By default UNDERSTUDY_ISOLATION, else `auto`.
   */
  isolation?: string;
  /** What it needs inside beside the project, the home and the plugins. */
  reach?: { writable?: readonly string[]; readable?: readonly string[]; ports?: readonly number[] };
  /** The project folder; absent, an empty one that goes with the conversation. */
  cwd?: string;
  /** Plugin folders (Claude Code). */
  plugins?: readonly string[];
  /** The workflow to follow: one that comes with us, a file, or a document. */
  workflow?: string | WorkflowDocument;
  /** Who answers when a tool wants to run; by default `allow`. */
  permissions?: 'allow' | 'deny' | PermissionPolicy;
  /** A session to go on with; its home must be given, too. */
  resume?: string;
  /** The CLI's home; absent, a scratch one that goes with the conversation. */
  home?: string;
  modelName?: string;
  /** More arguments and variables for the CLI. */
  args?: readonly string[];
  environment?: Environment;
  deadlines?: Partial<Deadlines> & { conversationMs?: number };
  /** When it aborts while the agent starts, the start ends at once. Later, `abort()` does it. */
  signal?: AbortSignal;
  /** How much the agent may write, in bytes; by default 32 MB in a turn and 128 MB in all. One that writes more is stopped. */
  limits?: Partial<OutputLimits>;
  /** What this conversation and others may write together. */
  output?: OutputBudget;
  /** How often the CLI may repeat a failed request (Claude Code on sim, and scripted). By default as the scenario needs it. */
  retries?: number;
  /**
   * Records hooks on their own side (Claude Code): SessionEnd is seen there only. `true` is enough for that; a recorder
   * of `recordHooks` also shows what each hook was given.
   */
  recordHooks?: boolean | HookRecorder;
  /** A folder for events.jsonl and requests.jsonl. */
  artifacts?: string;
  /** Called with each event as it happens. */
  onEvent?: (event: ConversationEvent) => void;
}
