import { dirname, join, resolve } from 'node:path';
import {
  type AgentName,
  type AgentSession,
  agents,
  defaultDeadlines,
  type EventBody,
  type HookRecorder,
  InProcessSession,
  type ModelAccess,
  type PermissionPolicy,
  recordHooks,
  type Stage,
  type StartOptions,
  storeFolder,
  type TerminalProgram,
  TerminalSession,
} from '@understudy/agents';
import { defined, type OutputBudget, UnderstudyError } from '@understudy/kit';
import type { ModelServer } from '@understudy/model';
import type { ScriptUsage } from '@understudy/script';
import { besideFile } from '../isolation/folders.js';
import { openIsolation, portsOf } from '../isolation/isolation.js';
import type { Isolation } from '../isolation/provider.js';
import { modelFor, programFor, scenarioOf, type ToldInTurn } from './model.js';
import type { ConversationOptions } from './options.js';
import type { Witness } from './recorded-model.js';

export interface SessionContext {
  cwd: string;
  home: string;
  /** A folder for what belongs to neither. */
  scratch: string;
  emit: (event: EventBody) => void;
  output: OutputBudget;
  /** Called with a server that was started for this conversation alone. */
  onOwnServer: (server: ModelServer) => void;
  /** Called with what keeps the agent apart from this machine. */
  onIsolation: (isolation: Isolation) => void;
}

export interface OpenedSession {
  session: AgentSession;
  /** The scripted model that it talks to. */
  server?: ModelServer;
  /** What was used of the script; absent where there is none. */
  usage?: () => ScriptUsage;
  /** What the model was told in a turn. */
  told: ToldInTurn;
  /** Is told what was seen, for the recording. */
  witness?: Witness;
  /** Called when the session has ended: what the CLI wrote down stays, without secrets. */
  keep?: () => void;
}

/** Starts the agent that the options ask for, on the stage that they name. */
export async function openSession(
  options: ConversationOptions,
  { cwd, home, scratch, emit, output, onOwnServer, onIsolation }: SessionContext,
): Promise<OpenedSession> {
  const { agent: spec = 'claude', stage = 'scripted' } = options;
  if (options.inProcess === true) {
    if (stage !== 'sim') throw noSuchStage('the simulator in this process', ['sim'], stage);
    const session = new InProcessSession({ scenario: scenarioOf(options), cwd, emit });
    const told = () => ({ unknown: 'a simulation in this process sends no requests' });
    return { session, usage: () => session.scriptUsage(), told };
  }
  const found = await programFor(spec, stage);
  const { agent } = found;
  const { stages } = agents[agent];
  if (!stages.includes(stage)) throw noSuchStage(agent, stages, stage);
  refuseWhatIsIgnored(agent, options);
  const driver = await agents[agent].driver();
  const terminal = options.terminal === undefined ? undefined : terminalOf(agent, driver.terminal, stage);
  const { model, server, owned, usage, told, keep, witness, ...stageModel } = await modelFor(stage, agent, options, {
    scratch,
    home,
    cwd,
    emit,
  });
  if (owned !== undefined) onOwnServer(owned);
  const isolation = await isolationOf(options, { cwd, home, scratch, model, command: found.command });
  onIsolation(isolation);
  const { conversationMs: _, ...deadlines } = options.deadlines ?? {};
  const { plugins, resume, modelName, args, signal } = options;
  const recorder = recorderOf(agent, options, scratch);
  const start: StartOptions = {
    ...{ found, stage, model, cwd, home, emit, output, enclosure: isolation.enclosure },
    permissions: policyOf(options.permissions),
    deadlines: { ...defaultDeadlines, ...deadlines },
    ...defined({ plugins, resume, modelName, args, recorder, signal }),
    environment: { ...options.environment, ...stageModel.environment },
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
  return { session, told, ...defined({ server, usage, keep, witness }) };
}

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
  const script = model.kind === 'scenario' ? besideFile(model.file) : [];
  const log = environment?.['UNDERSTUDY_LOG'] ?? '';
  return openIsolation(isolation, {
    writable: [cwd, home, scratch, ...(reach.writable ?? []), ...(log === '' ? [] : [dirname(resolve(cwd, log))])],
    readable: [storeFolder(), ...plugins, ...script, ...command, ...(reach.readable ?? [])],
    ports: [...portsOf([model.kind === 'loopback' ? model.url : undefined]), ...(reach.ports ?? [])],
    network: stage === 'live' ? 'host' : 'own',
  });
}

function recorderOf(
  agent: AgentName,
  { recordHooks: wanted }: ConversationOptions,
  scratch: string,
): HookRecorder | undefined {
  if (wanted === undefined || wanted === false || agent !== 'claude') return undefined;
  return wanted === true ? recordHooks(join(scratch, 'hooks')) : wanted;
}

/** Only Claude Code asks us about tools and loads plugins. A test that relies on either must not pass unheard elsewhere. */
function refuseWhatIsIgnored(agent: AgentName, { permissions = 'allow', plugins = [] }: ConversationOptions): void {
  if (agent === 'claude') return;
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
