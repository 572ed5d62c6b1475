import { join, resolve } from 'node:path';
import {
  type AgentName,
  agents,
  type ConversationEvent,
  type EventBody,
  type FoundAgent,
  findAgent,
  type ModelAccess,
  parseAgentSpec,
  type Stage,
  standInCommand,
  UnreadableEvents,
} from '@understudy/agents';
import { defined, type Environment, UnderstudyError } from '@understudy/kit';
import type { JournalOptions, ModelServer } from '@understudy/model';
import {
  defineScenario,
  loadScenario,
  retriesFor,
  type Scenario,
  type ScenarioDocument,
  type ScriptUsage,
  writeChecked,
} from '@understudy/script';
import type { ConversationOptions } from './options.js';
import type { Witness } from './recorded-model.js';
import { StandInLog } from './stand-in-log.js';
import type { Told } from './told.js';

/** The program that a stage needs: the stand-in, or the real one. */
export async function programFor(
  spec: string,
  stage: Stage,
): Promise<Omit<FoundAgent, 'version' | 'source'> & { version?: string }> {
  const { agent } = parseAgentSpec(spec);
  return stage === 'sim' ? { agent, command: standInCommand(agent) } : findAgent(spec);
}

/** What a stage gives to the CLI for a model. */
export interface StageModel {
  model: ModelAccess;
  /** The server of ours behind it. */
  server?: ModelServer;
  /** The server is for this conversation alone. */
  owned?: ModelServer;
  /** What was used of the script. */
  usage?: () => ScriptUsage;
  /** What the model was told in a turn. */
  told: ToldInTurn;
  /** Variables for the CLI. */
  environment?: Environment;
  /** Is told what was seen, for the recording. */
  witness?: Witness;
  /** Called when the CLI has ended: what it wrote down stays, without secrets. */
  keep?: () => void;
}

export type ToldInTurn = (events: readonly ConversationEvent[], turn: number) => Told;

/** The model that a stage gives to the CLI, and the server of ours behind it where there is one. */
export async function modelFor(
  stage: Stage,
  agent: AgentName,
  options: ConversationOptions,
  { emit, ...folders }: { scratch: string; home: string; cwd: string; emit: (event: EventBody) => void },
): Promise<StageModel> {
  switch (stage) {
    case 'sim': {
      const scenario = scenarioOf(options);
      const log = new StandInLog(logFile(options, folders));
      const { artifacts } = options;
      const { file, environment } = scenarioFile(scenario.document, folders.scratch);
      const { retries = retriesFor(scenario.document) } = options;
      return {
        model: { kind: 'scenario', file, retries },
        usage: () => log.usage(scenario.document),
        told: (_events, turn) => log.told(turn) ?? { unknown: `the stand-in of ${agent} does not tell it` },
        environment: { ...environment, [LOG_VARIABLE]: log.file, UNDERSTUDY_TELL_HOOKS: '1' },
        keep: () => {
          log.keep(artifacts === undefined ? undefined : join(artifacts, 'stand-in.jsonl'));
          for (const event of new UnreadableEvents(log).look()) emit(event);
        },
      };
    }
    case 'scripted': {
      // The others repeat less by themselves, or cannot be told.
      const retriesOn = (server: ModelServer) =>
        defined({ retries: options.retries ?? (agent === 'claude' ? server.retriesOf('claude') : undefined) });
      if (options.server !== undefined) {
        const told = () => ({ unknown: 'the model server is shared with other conversations' });
        return {
          model: { ...accessOf(options.server), ...retriesOn(options.server) },
          ...played(options.server),
          told,
        };
      }
      const { startModelServer } = await import('@understudy/agents');
      const { askedHookEvents } = await import('@understudy/agents');
      const server = await startModelServer({
        scenario: scenarioOf(options),
        agent,
        journal: journalOf(options, emit),
        onHook: (question, answer) => {
          for (const event of askedHookEvents(question, answer)) emit(event);
        },
      });
      const told = await toldBy(server);
      return { model: { ...accessOf(server), ...retriesOn(server) }, ...played(server), owned: server, told };
    }
    case 'replay': {
      const { openReplay } = await import('./recorded-model.js');
      const server = await openReplay(options, { ...folders, journal: journalOf(options, emit) });
      return { model: accessOf(server), ...played(server), owned: server, told: await toldBy(server) };
    }
    case 'live':
      if (options.record === true) {
        const { openRecording } = await import('./recorded-model.js');
        const { server, writer } = await openRecording(agent, options, {
          ...folders,
          journal: journalOf(options, emit),
        });
        return { model: accessOf(server), server, owned: server, told: await toldBy(server), witness: writer };
      }
      return {
        model: { kind: 'live', environment: liveEnvironment(agent) },
        told: () => ({ unknown: 'on the stage live, the requests to the model are not seen' }),
      };
  }
}

/** What a server of ours was asked. On the other stages, the code that reads requests is not loaded. */
async function toldBy({ journal }: ModelServer): Promise<ToldInTurn> {
  const { toldByJournal } = await import('./told.js');
  return (events, turn) => toldByJournal(journal, events, turn);
}

function journalOf({ artifacts }: ConversationOptions, emit: (event: EventBody) => void): JournalOptions {
  return {
    ...(artifacts === undefined ? {} : { file: join(artifacts, 'requests.jsonl') }),
    onFileCut: (limitBytes) => emit({ type: 'output_cut', scope: 'requests', limitBytes }),
  };
}

function accessOf({ url, key, real }: ModelServer): ModelAccess {
  return { kind: 'loopback', url, key, ...defined({ real }) };
}

function played(server: ModelServer): Pick<StageModel, 'server' | 'usage'> {
  return { server, usage: () => server.usage() };
}

const LOG_VARIABLE = 'UNDERSTUDY_LOG';

/** Where the stand-in writes what it answered: where the test says, or where it goes with the conversation. */
function logFile({ environment }: ConversationOptions, { scratch, cwd }: { scratch: string; cwd: string }) {
  const named = environment?.[LOG_VARIABLE] ?? '';
  return named === '' ? join(scratch, 'stand-in.jsonl') : resolve(cwd, named);
}

/** The scenario that the options name. */
export function scenarioOf({ scenario }: ConversationOptions): Scenario {
  if (scenario === undefined) {
    throw new UnderstudyError('SCENARIO_MISSING', 'there is no scenario, so the model would have nothing to say', {
      fix: 'Give `scenario`: a file, or an object with `responses`.',
    });
  }
  if (typeof scenario === 'string') return loadScenario(scenario);
  return isLoaded(scenario) ? scenario : defineScenario(scenario);
}

function isLoaded(scenario: Exclude<ConversationOptions['scenario'], string | undefined>): scenario is Scenario {
  return 'document' in scenario;
}

/** The scenario as a file for the stand-in, and the variables that go with it. */
function scenarioFile(document: ScenarioDocument, scratch: string): { file: string; environment: Environment } {
  const file = join(scratch, 'scenario.json');
  return { file, environment: writeChecked(document, file) };
}

/** The only place where real credentials are read. They go to the CLI and nowhere else. */
export function liveEnvironment(agent: AgentName): Environment {
  const environment: Environment = {};
  const keys = agents[agent].credentials;
  for (const name of [...keys, 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
    const value = process.env[name];
    if (value !== undefined && value !== '') environment[name] = value;
  }
  if (!keys.some((name) => environment[name] !== undefined)) {
    throw new UnderstudyError('AGENT_NOT_AUTHENTICATED', `there are no credentials for ${agent} in the environment`, {
      fix: `Set one of ${keys.join(', ')}, or use the scripted stage, which needs none.`,
    });
  }
  return environment;
}
