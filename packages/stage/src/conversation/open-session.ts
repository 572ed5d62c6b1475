import { dirname, join, resolve } from 'node:path';
import {
  type AgentDriver,
  type AgentName,
  type AgentSession,
  agents,
  defaultDeadlines,
  type EventBody,
  findAgent,
  type HookRecorder,
  hookQuestionEvents,
  InProcessSession,
  type ModelAccess,
  type PermissionPolicy,
  parseAgentSpec,
  RECORDS_FD,
  recordHooks,
  type Stage,
  type StartOptions,
  standInCommand,
  storeFolder,
  type TerminalProgram,
  TerminalSession,
  toldAs,
  UnreadableEvents,
} from '@understudy/agents';
import { defined, type OutputBudget, UnderstudyError } from '@understudy/kit';
import { readableNextTo } from '../isolation/folders.js';
import { openIsolation, portsOf } from '../isolation/isolation.js';
import type { Isolation } from '../isolation/provider.js';
import { type CassetteUse, type OpenedStage, openStage, type StageOptions, scenarioOf } from './open-stage.js';
import type { ConversationOptions } from './options.js';
import { type SeenOnWire, toldByStandIn } from './wire-witness.js';

export interface SessionContext {
  cwd: string;
  home: string;
  /** A folder for what belongs to neither. */
  scratch: string;
  emit: (event: EventBody) => void;
  output: OutputBudget;
  /** Called with the model that was opened for it. */
  onModel: (model: OpenedStage) => void;
  /** Called with what keeps the agent apart from this machine. */
  onIsolation: (isolation: Isolation) => void;
}

export interface OpenedSession {
  session: AgentSession;
  /** What it talks to. */
  model: Pick<OpenedStage, 'usage' | 'told'> & Partial<OpenedStage>;
  /** What a stand-in told that it printed, where it told it past the hands of its tools. */
  seenByStandIn?: () => SeenOnWire | undefined;
  /** Where hooks are recorded. */
  recorder?: HookRecorder;
  /** Called when the session has ended: what the CLI wrote down stays, without secrets. */
  keep?: () => void;
}

/** Starts the agent that the options ask for, on the stage that they name. */
export async function openSession(
  options: ConversationOptions,
  { cwd, home, scratch, emit, output, onModel, onIsolation }: SessionContext,
): Promise<OpenedSession> {
  const { agent: spec = 'claude', stage = 'scripted' } = options;
  if (options.inProcess === true) {
    if (stage !== 'sim') throw noSuchStage('the simulator in this process', ['sim'], stage);
    const session = new InProcessSession({ scenario: scenarioOf(options), cwd, emit });
    const told = () => ({ unknown: 'a simulation in this process sends no requests' });
    return { session, model: { usage: () => session.scriptUsage(), told } };
  }
  const { agent } = parseAgentSpec(spec);
  const { stages } = agents[agent];
  if (!stages.includes(stage)) throw noSuchStage(agent, stages, stage);
  const found = stage === 'sim' ? { agent, command: standInCommand(agent) } : await findAgent(spec);
  refuseWhatIsIgnored(agent, options);
  const driver = await agents[agent].driver();
  const terminal = options.terminal === undefined ? undefined : terminalOf(agent, driver.terminal, stage);
  const opened = await openStage(stage, stageOptions(options, spec, { cwd, home, scratch, emit }));
  onModel(opened);
  const model = opened.access(agent, retriesOf(options, agent, opened));
  const isolation = await isolationOf(options, { cwd, home, scratch, model, command: found.command });
  onIsolation(isolation);
  opened.server?.knowAskers((port) => isolation.asker(port), options.askedBy);
  if (isolation.records !== undefined) opened.log?.readFrom(isolation.records);
  const { conversationMs: _, ...deadlines } = options.deadlines ?? {};
  const { plugins, resume, modelName, args, signal } = options;
  const recorder = recorderOf(agent, options, scratch);
  if (isolation.records !== undefined) recorder?.readFrom(isolation.records);
  const start: StartOptions = {
    ...{ found, stage, model, cwd, home, emit, output, enclosure: isolation.enclosure },
    permissions: policyOf(options.permissions),
    deadlines: { ...defaultDeadlines, ...deadlines },
    ...defined({ plugins, resume, modelName, args, recorder, signal }),
    environment: {
      ...{ ...options.environment, ...opened.environment },
      ...(stage === 'sim' ? { UNDERSTUDY_TELL_HOOKS: '1' } : {}),
      ...(stage === 'sim' && isolation.records !== undefined ? { [RECORDS_FD]: 'open' } : {}),
    },
  };
  const session: AgentSession =
    terminal === undefined
      ? await driver.start(start)
      : await TerminalSession.start(terminal, start, options.terminal ?? {});
  try {
    await session.settled?.();
  } catch (error) {
    await session.end();
    throw error;
  }
  const { log, recording, usage } = opened;
  return {
    session,
    // What the real model says while it is recorded follows no script.
    model: { ...opened, usage: () => (recording === undefined ? usage() : undefined) },
    ...defined({ recorder }),
    ...(stage === 'sim' && isolation.records !== undefined ? { seenByStandIn: () => seenIn(isolation, driver) } : {}),
    keep: () => keepLog(log, isolation.records, options, emit),
  };
}

function seenIn({ records }: Isolation, driver: AgentDriver): SeenOnWire | undefined {
  const own = records?.tellers().find(({ role }) => role === 'main');
  const reader = driver.readCall(['-p', '--output-format', 'stream-json'], 'sim');
  const printed = own === undefined ? undefined : toldAs(own, 'stdout');
  return reader === undefined ? undefined : toldByStandIn(printed?.bytes.toString('utf8') ?? '', reader);
}

/** What the stage needs to know of this conversation. */
function stageOptions(
  options: ConversationOptions,
  spec: string,
  { cwd, home, scratch, emit }: Pick<SessionContext, 'cwd' | 'home' | 'scratch' | 'emit'>,
): StageOptions {
  const { stage = 'scripted', scenario, server, artifacts, environment } = options;
  const log = environment?.[LOG_VARIABLE] ?? '';
  return {
    ...{ agents: [spec], scenario, scratch, folders: { cwd, home } },
    ...(stage === 'scripted' ? { server } : {}),
    // Where the test says, or where it goes with the conversation.
    ...(log === '' ? {} : { log: resolve(cwd, log) }),
    ...(stage === 'replay' || (stage === 'live' && options.record === true)
      ? { cassette: cassetteOf(options, scratch) }
      : {}),
    journal: {
      ...(artifacts === undefined ? {} : { file: join(artifacts, 'requests.jsonl') }),
      onFileCut: (limitBytes) => emit({ type: 'output_cut', scope: 'requests', limitBytes }),
    },
    onHook: (question, answer) => {
      for (const event of hookQuestionEvents(question, answer)) emit(event);
    },
  };
}

function cassetteOf(
  { cassette, record, setting, speed, fromTurn, artifacts }: ConversationOptions,
  scratch: string,
): CassetteUse {
  if (cassette !== undefined) {
    const fork = join(artifacts ?? scratch, 'fork.cassette.jsonl');
    return { file: cassette, fork, ...defined({ record, setting, speed, fromTurn }) };
  }
  throw new UnderstudyError('CASSETTE_MISSING', 'the conversation has no cassette', {
    fix: 'Give `cassette`: the file that was recorded, or that is to be written.',
  });
}

/** On scripted, the others repeat less by themselves, or have no option for it. A real model may be busy: the CLI knows how often. */
function retriesOf({ retries }: ConversationOptions, agent: AgentName, { server }: OpenedStage): number | undefined {
  if (server?.real !== undefined) return undefined;
  return retries ?? (agent === 'claude' ? server?.retriesOf(agent) : undefined);
}

/** The agent has ended: what a stand-in wrote down stays, without secrets, and what cannot be believed is told. */
function keepLog(
  log: OpenedStage['log'],
  records: Isolation['records'],
  { artifacts }: ConversationOptions,
  emit: (event: EventBody) => void,
): void {
  log?.keep(artifacts === undefined ? undefined : join(artifacts, 'stand-in.jsonl'));
  for (const event of new UnreadableEvents(log, records).look()) emit(event);
}

const LOG_VARIABLE = 'UNDERSTUDY_LOG';

/** Around what the agent needs: its project, its home, the model, the plugins and the programs. */
async function isolationOf(
  { isolation, reach = {}, plugins = [], stage, environment }: ConversationOptions,
  {
    cwd,
    home,
    scratch,
    model,
    command,
  }: Pick<SessionContext, 'cwd' | 'home' | 'scratch'> & { model: ModelAccess; command: readonly string[] },
): Promise<Isolation> {
  const script = model.kind === 'scenario' ? readableNextTo(model.file) : [];
  const log = environment?.[LOG_VARIABLE] ?? '';
  return openIsolation(isolation, {
    writable: [cwd, home, scratch, ...(reach.writable ?? []), ...(log === '' ? [] : [dirname(resolve(cwd, log))])],
    readable: [storeFolder(), ...plugins, ...script, ...command, ...(reach.readable ?? [])],
    ports: [...portsOf([model.kind === 'loopback' ? model.url : undefined]), ...(reach.ports ?? [])],
    network: stage === 'live' ? 'host' : 'own',
    ...{ agents: [command], runsAgent: true },
  });
}

function recorderOf(
  agent: AgentName,
  { recordHooks: wanted }: ConversationOptions,
  scratch: string,
): HookRecorder | undefined {
  if (wanted === undefined || wanted === false || agents[agent].plugins !== true) return undefined;
  return wanted === true ? recordHooks(join(scratch, 'hooks')) : wanted;
}

/** A test that relies on plugins, or on being asked about tools, must not pass unheard elsewhere. */
function refuseWhatIsIgnored(agent: AgentName, { permissions = 'allow', plugins = [] }: ConversationOptions): void {
  if (agents[agent].plugins === true) return;
  const ignored = permissions !== 'allow' ? '`permissions`' : plugins.length > 0 ? '`plugins`' : undefined;
  if (ignored === undefined) return;
  throw new UnderstudyError('AGENT_IGNORES_OPTION', `${agent} would ignore ${ignored}`, {
    fix: `Leave ${ignored} out for ${agent}, or use claude.`,
  });
}

function policyOf(permissions: ConversationOptions['permissions'] = 'allow'): PermissionPolicy {
  if (permissions === 'allow') return () => ({ behavior: 'allow' });
  if (permissions === 'deny') return () => ({ behavior: 'deny', message: 'denied by the test' });
  return permissions;
}

/** How the CLI is started in a terminal; the stand-ins have no screen. */
function terminalOf(agent: AgentName, terminal: TerminalProgram | undefined, stage: Stage): TerminalProgram {
  if (terminal !== undefined && stage !== 'sim') return terminal;
  const who = stage === 'sim' ? `the stand-in of ${agent}` : agent;
  throw new UnderstudyError('AGENT_NO_TERMINAL', `${who} cannot be played in a terminal`, {
    fix: 'Use the real claude or opencode, on the stage scripted or live.',
  });
}

function noSuchStage(who: string, stages: readonly Stage[], stage: Stage): UnderstudyError {
  return new UnderstudyError('AGENT_NO_SUCH_STAGE', `${who} cannot be played on the stage "${stage}"`, {
    fix: `Use one of ${stages.join(', ')}.`,
  });
}
