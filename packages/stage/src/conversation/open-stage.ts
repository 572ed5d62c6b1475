import { join } from 'node:path';
import {
  type AgentName,
  type ConversationEvent,
  agents as definitions,
  findAgent,
  type ModelAccess,
  parseAgentSpec,
  type Stage,
} from '@understudy/agents';
import { defined, type Environment, UnderstudyError } from '@understudy/kit';
import type {
  CassetteSetting,
  Folders,
  JournalOptions,
  ModelServer,
  ModelServerOptions,
  Recording,
} from '@understudy/model';
import {
  combinedUsage,
  defineScenario,
  loadScenario,
  retriesFor,
  type Scenario,
  type ScenarioInput,
  type ScriptUsage,
  writeChecked,
} from '@understudy/script';
import { StandInLog } from './stand-in-log.js';
import type { Told } from './told.js';

/** The recording that is played (replay), or that is written (live with `record`). */
export interface CassetteUse {
  file: string;
  record?: boolean | undefined;
  /** What it says about the test besides. */
  setting?: CassetteSetting | undefined;
  /** On replay: 1 keeps the timing of the recording. */
  speed?: number | undefined;
  /** On replay: from this turn on, the scenario answers; with `record`, the real model, and `fork` is written. */
  fromTurn?: number | undefined;
  fork?: string | undefined;
  /** On live: where the keys and the CLIs are, whether the keys are spoiled, and whether an empty recording is kept. */
  environment?: NodeJS.ProcessEnv | undefined;
  invalidKeys?: boolean | undefined;
  keepEmpty?: boolean | undefined;
}

export interface StageOptions {
  /** What the model says on sim and scripted, and on replay after the cassette. */
  scenario?: string | Scenario | ScenarioInput | undefined;
  cassette?: CassetteUse | undefined;
  /** The agents that talk to the model. */
  agents: readonly string[];
  /** A folder of ours for the script and the log of stand-ins. Needed on sim. */
  scratch?: string | undefined;
  /** The log of stand-ins, if it is not in `scratch`. */
  log?: string | undefined;
  /** What a recording has names for. */
  folders?: Folders | undefined;
  journal?: JournalOptions | undefined;
  onHook?: ModelServerOptions['onHook'];
  /** A server that others use, too; it takes the place of one of our own. */
  server?: ModelServer | undefined;
  /** Programs may ask the model themselves: then there is a server on sim, too. */
  forPrograms?: boolean | undefined;
}

/** A model, as a stage has it: what agents need to reach it, and what was seen of their requests. */
export interface OpenedStage {
  /** The server of ours behind it; none on live, unless it records. */
  readonly server: ModelServer | undefined;
  /** Where it records. */
  readonly recording: Pick<Recording, 'writer' | 'recorder'> | undefined;
  /** What stand-ins write down (sim). */
  readonly log: StandInLog | undefined;
  /** Variables of stand-ins (sim). */
  readonly environment: Environment;
  /** What an agent is given for its model. `retries` is how often it may repeat a failed request. */
  access(agent: AgentName, retries?: number): ModelAccess;
  /** What was used of the script or the cassette; undefined on live, where there is none. */
  usage(): ScriptUsage | undefined;
  /** What the model was told in a turn. */
  told: ToldInTurn;
  /** Ends what was started for it. */
  close(): Promise<void>;
}

/** A stage that always has a server of ours. */
interface ServedStage extends OpenedStage {
  readonly server: ModelServer;
}

export type ToldInTurn = (events: readonly ConversationEvent[], turn: number) => Told;

/** The one way from a stage to its model. */
export function openStage(stage: 'scripted' | 'replay', options: StageOptions): Promise<ServedStage>;
export function openStage(stage: Stage, options: StageOptions): Promise<OpenedStage>;
export async function openStage(stage: Stage, options: StageOptions): Promise<OpenedStage> {
  const play = stage === 'sim' ? playedByStandIns(options) : undefined;
  const { server, ...recording } = await serverFor(stage, options);
  return {
    server,
    recording: recording.writer === undefined ? undefined : (recording as Recording),
    log: play?.log,
    environment: play?.environment ?? {},
    access: (agent, retries) => {
      if (play !== undefined) return { kind: 'scenario', file: play.file, retries: retries ?? play.retries };
      if (server === undefined) return { kind: 'live', environment: liveEnvironment(agent) };
      const { url, key, real } = server;
      return { kind: 'loopback', url, key, ...defined({ real, retries }) };
    },
    usage: () => {
      const ofLog = play?.log.usage(play.document);
      const ofServer = server?.usage();
      return ofLog === undefined || ofServer === undefined ? (ofLog ?? ofServer) : combinedUsage(ofServer, ofLog);
    },
    told: await toldOn(options, play?.log, server),
    close: async () => {
      if (options.server === undefined) await server?.close();
    },
  };
}

/** What stand-ins play by themselves. */
function playedByStandIns({ scenario, scratch = '', log = join(scratch, 'stand-in.jsonl') }: StageOptions) {
  const { document } = scenarioOf({ scenario });
  const standIns = new StandInLog(log);
  const file = join(scratch, 'scenario.json');
  const checked = writeChecked(document, file);
  const environment: Environment = { ...checked, UNDERSTUDY_SCENARIO: file, UNDERSTUDY_LOG: standIns.file };
  return { document, file, log: standIns, environment, retries: retriesFor(document) };
}

/** The server of ours that the stage needs, and the recording if there is one. Its code is loaded only then. */
async function serverFor(stage: Stage, options: StageOptions): Promise<Partial<Recording>> {
  const { scenario, cassette, agents, folders, journal, onHook, server, forPrograms = false } = options;
  if (server !== undefined) return { server };
  switch (stage) {
    case 'sim':
      if (!forPrograms) return {};
      break;
    case 'scripted':
      break;
    case 'replay':
      return { server: await replay(options) };
    case 'live': {
      if (cassette?.record !== true) return {};
      const { file, setting, environment, invalidKeys, keepEmpty } = cassette;
      const found = await Promise.all(agents.map((spec) => findAgent(spec, defined({ environment }))));
      const { startRecording } = await import('@understudy/agents');
      return startRecording({
        ...{ file, ...defined({ folders, journal, environment, invalidKeys, keepEmpty }) },
        header: { agents: found.map(({ agent, version }) => ({ agent, version })), ...defined({ setting }) },
      });
    }
  }
  const { startModelServer } = await import('@understudy/agents');
  const agent = forPrograms || agents[0] === undefined ? undefined : parseAgentSpec(agents[0]).agent;
  return {
    server: await startModelServer({ scenario: scenarioOf({ scenario }), ...defined({ journal, onHook, agent }) }),
  };
}

/** A server that plays the cassette; from `fromTurn` on, the scenario or the real model answers. */
async function replay({ scenario, cassette, folders = {}, journal }: StageOptions): Promise<ModelServer> {
  if (cassette === undefined) throw new UnderstudyError('CASSETTE_MISSING', 'there is no cassette to replay');
  const { file, record, speed, fromTurn, fork } = cassette;
  const { clients, startReplay } = await import('@understudy/agents');
  const { CassetteWriter, Recorder, Upstreams } = await import('@understudy/model');
  const goesOnLive = fromTurn !== undefined && record === true && fork !== undefined;
  const goOn = goesOnLive
    ? new Recorder(
        new CassetteWriter({ file: fork, header: { agents: [] }, folders }),
        Upstreams.of(process.env, clients),
      )
    : undefined;
  const goesOnScripted = fromTurn !== undefined && !goesOnLive && scenario !== undefined;
  return startReplay({
    ...{ file, folders, ...defined({ speed, fromTurn, journal, goOn }) },
    ...(goesOnScripted ? { scenario: scenarioOf({ scenario }) } : {}),
  });
}

/** Where there is no server, the code that reads requests is not loaded. */
async function toldOn(
  { agents, server: shared }: StageOptions,
  log: StandInLog | undefined,
  server: ModelServer | undefined,
): Promise<ToldInTurn> {
  if (log !== undefined) {
    const standIn = agents.map((spec) => parseAgentSpec(spec).agent).join(', ');
    return (_events, turn) => log.told(turn) ?? { unknown: `the stand-in of ${standIn} does not record it` };
  }
  if (shared !== undefined) return () => ({ unknown: 'the model server is shared with other conversations' });
  if (server === undefined) return () => ({ unknown: 'on the stage live, the requests to the model are not seen' });
  const { toldByJournal } = await import('./told.js');
  return (events, turn) => toldByJournal(server.journal, events, turn);
}

/** The scenario that the options name. */
export function scenarioOf({ scenario }: Pick<StageOptions, 'scenario'>): Scenario {
  if (scenario === undefined) {
    throw new UnderstudyError('SCENARIO_MISSING', 'there is no scenario, so the model would have nothing to say', {
      fix: 'Give `scenario`: a file, or an object with `responses`.',
    });
  }
  if (typeof scenario === 'string') return loadScenario(scenario);
  return isLoaded(scenario) ? scenario : defineScenario(scenario);
}

function isLoaded(scenario: Scenario | ScenarioInput): scenario is Scenario {
  return 'document' in scenario;
}

/** The only place where real credentials are read. They go to the CLI and nowhere else. */
function liveEnvironment(agent: AgentName): Environment {
  const environment: Environment = {};
  const keys = definitions[agent].credentials;
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
