import { join } from 'node:path';
import type { AgentDefinition } from '../../../claude-code/agent-definitions.js';
import { type ConfigPaths, sessionTemp } from '../../../claude-code/config-paths.js';
import { type HookEventName, hookEventFacts } from '../../../claude-code/hooks/events.js';
import type { Hook, HookInput } from '../../../claude-code/hooks/hook.js';
import { sessionFields } from '../../../claude-code/hooks/session-fields.js';
import { answeringModel, isKnownModel, isOlderModel, resolveModel } from '../../../claude-code/models.js';
import type { PermissionMode } from '../../../claude-code/modes.js';
import type { PermissionContext } from '../../../claude-code/permissions/decision.js';
import type { PermissionRules } from '../../../claude-code/permissions/rules.js';
import type { LoadedPlugin, PluginProblem } from '../../../claude-code/plugins/load.js';
import type { SettingsFile } from '../../../claude-code/settings.js';
import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import { type ChildKind, childVariables } from '../../../claude-code/variables.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import type { Play } from '../../../scenario/play.js';
import type { Script } from '../../../scenario/script.js';
import type { RequestLog } from '../../shared/request-log.js';
import { knownEffort } from '../cli/check-options.js';
import type { Options } from '../cli/options.js';
import type { McpServers } from '../mcp/servers.js';
import type { Output } from '../output/formats.js';
import type { Host } from '../output/host.js';
import { AgentAtWork, type RunningSubagent } from './agent-at-work.js';
import { BackgroundHooks } from './background-hooks.js';
import type { Clock } from './clock.js';
import { Conversation } from './conversation.js';
import { Outbox } from './outbox.js';
import { Relay } from './relay.js';
import { Spending } from './spending.js';
import type { SpawnedAgent, TaskNotice } from './task-notice.js';
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
}

/**
 * One session of the stand-in: `parts` is fixed at the start, `conversation` is what its agent has in mind, `turn` is of
 * one turn, and `out` sends what it says.
 */
export class Session {
  readonly parts: SessionParts;
  #folder: string;
  /** `/clear` begins another one. */
  conversation: Conversation;
  readonly spending = new Spending();
  /** The agent that is at work. */
  atWork = new AgentAtWork();
  readonly relay = new Relay(this);
  /** What counts for the turn that runs, or ran last. */
  turn = new TurnState();
  readonly out = new Outbox(this);
  mode: PermissionMode;
  /** What a plan goes back to. */
  modeBeforePlan: PermissionMode = 'default';
  mcp: McpServers | undefined;
  host: Host | undefined;
  /** Messages of the user that are not heard yet. */
  readonly waiting: UserMessage[] = [];
  title: string | undefined;
  /** The host has ended it: what is cut off then is marked in the transcript. */
  isEnding = false;
  /** A command of the shell has run. */
  hasRunShell = false;
  /** The only skills that the model may call, where the host has chosen some. */
  chosenSkills: readonly string[] | undefined;
  /** The name by which the model was chosen. */
  modelName: string;
  /** What hooks have not heard yet of a model that the host has chosen. */
  switchedModel: JsonObject | undefined;
  /** The rules of the scenario that have answered hooks in this turn. */
  hookRules: string[] = [];
  readonly backgroundHooks = new BackgroundHooks();
  /** What hooks in the background have said since the last request: a line of the transcript each, and what the model reads. */
  lateWords: { line: TranscriptLine; note?: string }[] = [];
  /** Subagents in the background that have not begun yet: they work while nobody waits for the model. */
  launched: (() => Promise<void>)[] = [];
  /** The tasks in the background that have not ended, as a host is told. */
  backgroundTasks: JsonObject[] = [];
  /** What the agent is to hear of tasks that have ended in the background. */
  notices: TaskNotice[] = [];
  readonly spawned: SpawnedAgent[] = [];
  /** Models that the CLI does not know, and has said so. */
  readonly unknownModels = new Set<string>();
  /** Actions were refused because nothing checks them. */
  lacksCheck = false;
  /** Hooks ran when the conversation began. The real CLI counts that as a message, whatever they said. */
  hookedAtStart = false;
  /** Hooks of which the host knows that they did not judge a tool. */
  readonly warnedOf = new Set<Hook>();
  state: 'running' | 'idle' = 'idle';

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.#folder = parts.cwd;
    this.conversation = new Conversation(parts.transcript, parts.play, parts.prompts);
    this.modelName = parts.model;
    this.mode = parts.mode;
  }

  get transcript(): Transcript {
    return this.conversation.transcript;
  }

  get id(): string {
    return this.transcript.context.sessionId;
  }

  /** Where the shell is, from which paths are read: a command may change it. */
  get folder(): string {
    return this.#folder;
  }

  get subagent(): RunningSubagent | undefined {
    return this.atWork.subagent;
  }

  /** The model of the session, or of the command of this turn. */
  get model(): string {
    return resolveModel(this.turn.ofCommand.model ?? this.modelName);
  }

  /** The mode of whoever speaks. */
  get actingMode(): PermissionMode {
    return this.subagent?.mode ?? this.mode;
  }

  /** Whether the model may call a skill. The host may leave out the plugin. */
  offersSkill(name: string): boolean {
    return this.chosenSkills?.some((chosen) => chosen === name || name.endsWith(`:${chosen}`)) ?? true;
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
  get askedModel(): string {
    return this.subagent?.model ?? answeringModel(this.turn.ofCommand.model ?? this.modelName, this.mode === 'plan');
  }

  /** The built-in tools that `--tools` leaves, unless those are the usual ones. */
  get chosenTools(): readonly string[] | undefined {
    const { tools } = this.parts.options;
    return tools?.length === 1 && tools[0] === 'default' ? undefined : tools;
  }

  /** What hooks in the background have said goes with the next request. Gives the lines about it. */
  takeLateWords(): TranscriptLine[] {
    const late = this.lateWords.splice(0);
    this.atWork.notes.push(...late.flatMap(({ note }) => note ?? []));
    return late.map(({ line }) => line);
  }

  /** The notes for the next request. */
  takeNotes(): string[] {
    return this.atWork.notes.splice(0);
  }

  /** The shell has gone to another folder. */
  moveTo(folder: string): void {
    this.#folder = folder;
    this.transcript.context.cwd = folder;
  }

  permissionContext(): PermissionContext {
    const { rules, directories, commands } = this.parts;
    const own = { ...rules, allow: [...rules.allow, ...this.turn.rules] };
    const isFresh = !this.hasRunShell;
    return { mode: this.actingMode, rules: own, cwd: this.folder, directories, commands, isFresh };
  }

  /** How hard the model works; older ones do not know that. */
  get effort(): string | undefined {
    const asked = knownEffort(this.subagent ?? this.turn.ofCommand) ?? knownEffort(this.parts.options);
    if (isOlderModel(this.askedModel)) return undefined;
    return asked ?? (isKnownModel(this.askedModel) ? 'medium' : 'high');
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
