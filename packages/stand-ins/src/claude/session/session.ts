import { join } from 'node:path';
import {
  type AgentDefinition,
  answeringModel,
  type ChildKind,
  type CommandDefinition,
  type ConfigPaths,
  childVariables,
  type Hook,
  type HookEventName,
  type HookInput,
  hookEventFacts,
  isKnownModel,
  isOlderModel,
  type LoadedPlugin,
  type PermissionContext,
  type PermissionMode,
  type PermissionRules,
  type PluginProblem,
  resolveModel,
  type SettingsFile,
  sessionFields,
  sessionTemp,
} from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import type { Play, Script } from '@understudy/script';
import type { RequestLog } from '../../shared/request-log.js';
import { knownEffort } from '../cli/check-options.js';
import type { Options } from '../cli/options.js';
import type { McpServers } from '../mcp/servers.js';
import type { Output } from '../output/formats.js';
import type { Host } from '../output/host.js';
import { uuid } from '../output/ids.js';
import type { AgentAtWork, RunningSubagent } from './agent-at-work.js';
import { Background } from './background.js';
import type { Clock } from './clock.js';
import { Conversation } from './conversation.js';
import { Outbox } from './outbox.js';
import { Relay } from './relay.js';
import { Spending } from './spending.js';
import type { Transcript, TranscriptLine } from './transcript.js';
import { TurnState } from './turn-state.js';
import type { UserMessage } from './user-message.js';

export interface SessionParts {
  options: Options;
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The transcript is stored under this folder's name. */
  projectDir: string;
  paths: ConfigPaths;
  clock: Clock;
  version: string;
  script: Script;
  play: Play;
  output: Output;
  log: RequestLog;
  host: Host | undefined;
  /** Messages of the user that the agent has not received yet. */
  waiting: readonly UserMessage[];
  transcript: Transcript;
  settingsFiles: SettingsFile[];
  settings: JsonObject;
  hooks: Hook[];
  rules: PermissionRules;
  directories: string[];
  plugins: LoadedPlugin[];
  pluginProblems: PluginProblem[];
  pluginWarnings: PluginProblem[];
  commands: CommandDefinition[];
  agents: AgentDefinition[];
  /** The name by which the model was chosen. */
  model: string;
  mode: PermissionMode;
  /** Prompts that earlier processes of this session have had. */
  prompts: number;
  source: 'startup' | 'resume' | 'fork';
  /** The only skills that the model may call, where the host has chosen some. */
  skills?: readonly string[];
}

/** What the user, a hook or the host has chosen: it counts until somebody chooses something else. */
interface Chosen {
  /** The name of the model. */
  model: string;
  mode: PermissionMode;
  title: string | undefined;
}

/**
 * One session of the stand-in: `parts` is fixed when it has begun, `turn` is of one turn, `out` sends all that it says, and
 * `background` is what goes on beside it. `/clear` begins another conversation.
 */
export class Session {
  readonly parts: SessionParts;
  readonly out = new Outbox(this);
  readonly background = new Background(this.out);
  readonly spending = new Spending();
  readonly chosen: Chosen;
  /** Where the shell is, from which paths are read. */
  readonly shell: { folder: string; hasRun: boolean };
  mcp: McpServers | undefined;
  #conversation: Conversation;
  #turn = new TurnState();
  readonly relay = new Relay();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.#conversation = new Conversation(parts.transcript, parts.play, parts.prompts);
    this.shell = { folder: parts.cwd, hasRun: false };
    this.chosen = { model: parts.model, mode: parts.mode, title: undefined };
  }

  /** What its agent has in mind. */
  get conversation(): Conversation {
    return this.#conversation;
  }

  beginConversation(conversation: Conversation): void {
    this.#conversation = conversation;
  }

  /** What counts for the turn that runs, or ran last. */
  get turn(): TurnState {
    return this.#turn;
  }

  beginTurn(): void {
    this.#turn = new TurnState(uuid());
  }

  /** The agent that is at work. */
  get atWork(): AgentAtWork {
    return this.relay.atWork;
  }

  get transcript(): Transcript {
    return this.conversation.transcript;
  }

  get id(): string {
    return this.transcript.context.sessionId;
  }

  get folder(): string {
    return this.shell.folder;
  }

  get mode(): PermissionMode {
    return this.chosen.mode;
  }

  get subagent(): RunningSubagent | undefined {
    return this.atWork.subagent;
  }

  /** The model of the session, or of the command of this turn. */
  get model(): string {
    return resolveModel(this.turn.ofCommand.model ?? this.chosen.model);
  }

  /** The mode of whoever speaks. */
  get actingMode(): PermissionMode {
    return this.subagent?.mode ?? this.mode;
  }

  /** Whether the model may call a skill. The host may leave out the plugin. */
  offersSkill(name: string): boolean {
    return this.parts.skills?.some((chosen) => chosen === name || name.endsWith(`:${chosen}`)) ?? true;
  }

  /** What is written of that agent; nothing where it is one of the CLI. */
  get ownDefinition(): AgentDefinition | undefined {
    return this.parts.agents.find(({ name }) => name === this.ownAgent);
  }

  /** The hooks that see what whoever speaks does. */
  get hooks(): readonly Hook[] {
    return this.subagent === undefined ? this.parts.hooks : [...this.parts.hooks, ...this.subagent.hooks];
  }

  /** The agent that the session was started as. */
  get ownAgent(): string | undefined {
    const { options, settings } = this.parts;
    const agent = options.agent ?? settings['agent'];
    return typeof agent === 'string' ? agent : undefined;
  }

  /** The model that is asked: some are chosen for the work, and another one plans it. */
  get usedModel(): string {
    return this.subagent?.model ?? answeringModel(this.turn.ofCommand.model ?? this.chosen.model, this.mode === 'plan');
  }

  /** The built-in tools that `--tools` leaves, unless those are the usual ones. */
  get chosenTools(): readonly string[] | undefined {
    const { tools } = this.parts.options;
    return tools?.length === 1 && tools[0] === 'default' ? undefined : tools;
  }

  /** What hooks in the background have said goes with the next request. Gives the lines about it. */
  takeLateWords(): TranscriptLine[] {
    const late = this.background.takeLateWords();
    this.atWork.notes.push(...late.map(({ note }) => note));
    return late.map(({ line }) => line);
  }

  /** The notes for the next request. */
  takeNotes(): string[] {
    return this.atWork.notes.splice(0);
  }

  /** The shell has gone to another folder. */
  moveTo(folder: string): void {
    this.shell.folder = folder;
    this.transcript.context.cwd = folder;
  }

  permissionContext(): PermissionContext {
    const { rules, directories, commands } = this.parts;
    const own = { ...rules, allow: [...rules.allow, ...this.turn.rules] };
    const isFresh = !this.shell.hasRun;
    return { mode: this.actingMode, rules: own, cwd: this.folder, directories, commands, isFresh };
  }

  /** How hard the model works; older ones do not know that. */
  get effort(): string | undefined {
    const asked = knownEffort(this.subagent ?? this.turn.ofCommand) ?? knownEffort(this.parts.options);
    if (isOlderModel(this.usedModel)) return undefined;
    return asked ?? (isKnownModel(this.usedModel) ? 'medium' : 'high');
  }

  /** The input of a hook: the fields of the session and those of the event. */
  hookInput(event: HookEventName, fields: JsonObject): HookInput {
    const { transcript, turn, actingMode: mode, subagent, effort } = this;
    const { agent_id, subagent_type: agent_type = this.ownAgent } = subagent ?? {};
    const place = { sessionId: this.id, transcriptPath: transcript.path, cwd: this.folder };
    const about = { ...place, promptId: turn.promptId, mode, effort, agent: { agent_id, agent_type } };
    const server = hookEventFacts(event).tellsServer ? this.mcp?.serverOf(String(fields['tool_name'])) : undefined;
    return {
      ...sessionFields(event, about),
      ...fields,
      ...defined({ mcp_server: server }),
    };
  }

  /** The environment of what the session starts; `effort` where the model is asked in the turn. */
  childEnvironment(kind: ChildKind, effort?: string): NodeJS.ProcessEnv {
    const { cwd: projectDir, env, version } = this.parts;
    const entrypoint = env['CLAUDE_CODE_ENTRYPOINT'];
    const notesDir = join(sessionTemp(env, projectDir, this.id), 'started');
    return {
      ...this.environment(),
      ...childVariables(kind, { sessionId: this.id, projectDir, notesDir, version, entrypoint, effort }),
    };
  }

  /** The variables of the process, and those of the settings. */
  environment(): NodeJS.ProcessEnv {
    const { env, settings } = this.parts;
    const own = settings['env'];
    return { ...env, ...(typeof own === 'object' ? (own as Record<string, string>) : {}) };
  }
}
