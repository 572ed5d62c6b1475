import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type AgentDriver,
  type AgentName,
  agentNames,
  CALLS_VARIABLE,
  agents as definitions,
  findAgent,
  type HomeOfCalls,
  homeVariables,
  parseAgentSpec,
  promptOfCall,
  RECORDS_SOCKET,
  type RecordedCall,
  type ServedAgent,
  type Stage,
  servedAgents,
  settleModelAccess,
  standInCommand,
  TELLING_LAUNCHER,
} from '@understudy/agents';
import {
  defined,
  type Environment,
  makeFolder,
  scrubbedEnvironment,
  shellWord,
  UnderstudyError,
  type Unreadable,
  UntrustedFolder,
} from '@understudy/kit';
import { type ModelServer, sdkEnvironment, taggedKey } from '@understudy/model';
import type { Scenario, ScriptUsage } from '@understudy/script';
import { type CassetteUse, type OpenedStage, openStage } from '../conversation/open-stage.js';
import { WireWitness } from '../conversation/wire-witness.js';
import type { Records } from '../isolation/records.js';
import { type AgentCall, type CallDetails, toAgentCall } from './agent-call.js';
import { detailsFromJournal, detailsFromLog } from './call-details.js';
import { detailsFromTranscript } from './details-from-transcript.js';
import { callsByProgram } from './program-calls.js';
import { agentOfProgram, programOf, recorded, writeProgram } from './programs.js';
import { readCallFiles, toldCalls } from './read-calls.js';

export interface PlaceOptions {
  /** The agents that the program finds on its PATH: `claude`, `opencode@1.18.18`. */
  agents: readonly string[];
  stage: Stage;
  scenario: Scenario;
  /** A folder of ours: programs, records, log. */
  folder: string;
  /** The HOME of the program and of the agents. */
  home: string;
  /** The variables of the program, instead of a clean environment. Its HOME is its own then, and agents have `home`. */
  from?: Environment | undefined;
  /** The folder in which the program runs in a terminal: there Claude Code would ask for trust, a theme and its key. */
  terminalIn?: string | undefined;
  /** The folder in which the program works. */
  cwd?: string | undefined;
  /** The recording that is played (replay), or that is written (live with `record`). */
  cassette?: Pick<CassetteUse, 'file' | 'record' | 'speed'> | undefined;
  /** A model server that answers from the same script. By default one is started. */
  server?: ModelServer | undefined;
}

/** A program may set these itself. */
const KEPT: ReadonlySet<string> = new Set(
  Object.values(definitions).flatMap(({ called }) => called.programsMaySet ?? []),
);

/** The variables of all stand-ins, wherever a program starts one. */
const STAND_IN_VARIABLES: Environment = Object.assign(
  {},
  ...Object.values(definitions).map(({ standInVariables }) => standInVariables),
);

/** An Agent SDK may bring one of these along. */
const BROUGHT = servedAgents.filter((agent) => definitions[agent].called.broughtBySdks === true);

/** Lines of a shell that set variables; those that a program may set itself, where it has not. */
function exports(env: Environment, kept: ReadonlySet<string> = new Set()): string {
  return Object.entries(env)
    .map(([name, value = '']) => {
      const line = `export ${name}=${shellWord(value)}\n`;
      return kept.has(name) ? `[ -n "$${name}" ] || ${line}` : line;
    })
    .join('');
}

/** So many `run` steps in a terminal, and calls of each, find a Claude Code that does not ask for its key. */
const TERMINAL_STEPS = 10;
const TERMINAL_CALLS = 20;

/** Whose turn state the calls of a step have: one for all, or each session its own. */
export type CallState = 'run' | 'session';

/** What one run of a program called. */
export interface CallsOfStep {
  /** In the order of their starts. */
  calls: AgentCall[];
  /** Starts that asked no model: `claude --version`. */
  others: { agent: AgentName; command: readonly string[] }[];
  /** Agents on this machine that were called and are not in place. They did not start. */
  refused: string[];
  /** What stand-ins were asked for that only the real agents can do. */
  unsupported: string[];
  /** Calls that asked the model, and of which there is no record, by their number. */
  unrecorded: number[];
  /** Who asked the model in the name of an agent, and was refused. */
  strangers: string[];
}

/** The agents in place for a program: first on its PATH, on the model of the stage, and every call recorded. */
export class AgentsInPlace {
  readonly #options: PlaceOptions;
  readonly #model: OpenedStage;
  readonly #server: ModelServer | undefined;
  readonly #wire: WireWitness | undefined;
  /** Programs and agents write here, too. */
  readonly #files: UntrustedFolder;
  readonly #home: UntrustedFolder;
  /** What the real agents are, without arguments. */
  readonly commands: (readonly string[])[] = [];
  readonly #versions = new Map<AgentName, string>();
  readonly #drivers = new Map<AgentName, AgentDriver>();
  #records: Records | undefined;
  #environment: Environment = {};

  private constructor(options: PlaceOptions, model: OpenedStage) {
    this.#options = options;
    this.#model = model;
    this.#server = model.server;
    this.#wire = model.server === undefined || options.stage === 'sim' ? undefined : new WireWitness(model.server);
    this.#files = new UntrustedFolder(options.folder);
    this.#home = new UntrustedFolder(options.home);
  }

  static async start(options: PlaceOptions): Promise<AgentsInPlace> {
    makeFolder(options.folder);
    const { agents, stage, scenario, server, cassette, folder, home, cwd, from } = options;
    const model = await openStage(stage, {
      ...{ agents, scenario, server, cassette, scratch: folder, log: join(folder, 'stand-ins.jsonl') },
      folders: { home, cwd, userHome: from?.['HOME'] },
      journal: { file: join(folder, 'requests.jsonl') },
      forPrograms: true,
    });
    const placed = new AgentsInPlace(options, model);
    try {
      await placed.#place();
      return placed;
    } catch (error) {
      await placed.close();
      throw error;
    }
  }

  /** The variables for one run of the program. `step` keeps its calls apart from those of other runs. */
  environment(step: number, state: CallState = 'run'): Environment {
    const calls = callsFolder(step);
    this.#files.makeFolder(calls);
    if (state === 'session') this.#server?.conversations.keepApart(step);
    const ofStep: Environment = {
      ...(this.#server === undefined ? {} : { UNDERSTUDY_MODEL_KEY: taggedKey(this.#server.key, { step }) }),
      [CALLS_VARIABLE]: join(this.#options.folder, calls),
      UNDERSTUDY_STEP: String(step),
      ...(state === 'run' && this.#options.stage === 'sim'
        ? { UNDERSTUDY_STATE: join(this.#options.folder, `state-${step}.json`) }
        : {}),
    };
    this.#files.write(STEP_FILE, exports(ofStep));
    return { ...this.#environment, ...this.#modelForProgram(step), ...ofStep };
  }

  /** What was called in a step. */
  calls(step: number): CallsOfStep {
    const found = this.#recorded(step).flatMap((call) => {
      const agent = agentOfProgram(call.words[0] ?? '');
      return agent === undefined ? [] : [{ call, agent }];
    });
    const calls = found.flatMap(({ call, agent }): AgentCall[] => {
      const { number } = call;
      if (number === undefined) return [];
      const known = this.#knownOf(call, step, number, agent);
      const { stage } = this.#options;
      const [version, driver] = [this.#versions.get(agent), this.#drivers.get(agent)];
      const wire = definitions[agent].printsWire === true ? this.#wire?.seen({ step, call: number }) : undefined;
      return [toAgentCall({ ...call, number }, agent, { stage, version, known, driver, wire })];
    });
    const asked = callsByProgram(
      this.#server?.journal.entries().filter((entry) => entry.step === step) ?? [],
      this.#options.stage,
    );
    const others = found.flatMap(({ call, agent }) =>
      call.number === undefined ? [{ agent, command: call.words }] : [],
    );
    const refused = (this.#files.text(`${callsFolder(step)}/${REFUSED}`) ?? '')
      .split('\n')
      .filter((name) => name !== '');
    const unsupported = found.flatMap(({ call }) =>
      call.unsupported === undefined ? [] : [`${call.words.map(shellWord).join(' ')}: ${call.unsupported}`],
    );
    const unrecorded = (this.#wire?.callsOf(step) ?? []).filter(
      (number) => !calls.some((call) => call.number === number),
    );
    return {
      calls: inOrder(calls, asked),
      others,
      refused,
      unsupported,
      unrecorded,
      strangers: this.#wire?.refused ?? [],
    };
  }

  /** Requests that the program made itself, by the step. */
  get server(): ModelServer | undefined {
    return this.#server;
  }

  /** The recording, where there is one of these calls alone. */
  get recording(): OpenedStage['recording'] {
    return this.#model.recording;
  }

  /** What was used of the script, and what it had no answer for; undefined on live, where there is none. */
  usage(): ScriptUsage | undefined {
    return this.#model.usage();
  }

  /** What was written about the calls and could not be read. */
  get unreadable(): Unreadable[] {
    return [this.#files, this.#model.log, this.#home, this.#records].flatMap((seen) => seen?.unreadable ?? []);
  }

  /** From now on, what recorders tell there counts, and no file. */
  readFrom(records: Records): void {
    this.#records = records;
    this.#model.log?.readFrom(records);
  }

  #recorded(step: number): RecordedCall[] {
    if (this.#records === undefined) return readCallFiles(this.#files, callsFolder(step));
    const folder = join(this.#options.folder, callsFolder(step));
    const isStandIn = this.#options.stage === 'sim';
    return toldCalls(isStandIn ? this.#records.tellersThat('call') : this.#records.tellers(), folder);
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  #knownOf(call: RecordedCall, step: number, number: number, agent: AgentName): CallDetails | undefined {
    if (this.#model.log !== undefined) return detailsFromLog(this.#model.log.entriesOf(call.pid));
    if (this.#server === undefined) {
      const turns = this.#drivers.get(agent)?.transcriptTurns?.(this.#home);
      if (turns === undefined) return undefined;
      const prompt = promptOfCall(agent, call.words.slice(1), call.stdin ?? '');
      return detailsFromTranscript(call, prompt, turns);
    }
    const entries = this.#server?.journal.entries() ?? [];
    return detailsFromJournal(
      entries.filter((entry) => entry.step === step && entry.call === number && entry.byProgram !== true),
    );
  }

  async #place(): Promise<void> {
    const { agents, stage, folder, home, from } = this.#options;
    const bin = join(folder, 'bin');
    makeFolder(bin);
    makeFolder(home);
    const env: Environment = {
      ...(from ?? scrubbedEnvironment({ HOME: home })),
      // Claude Code lets root skip permissions only in a sandbox, which this variable declares.
      IS_SANDBOX: '1',
    };
    const simEnv: Environment =
      stage === 'sim'
        ? {
            ...{ ...this.#model.environment, ...STAND_IN_VARIABLES },
          }
        : {};
    for (const spec of agents) {
      const { agent } = parseAgentSpec(spec);
      this.#drivers.set(agent, await definitions[agent].driver());
      const { stages } = definitions[agent];
      if (!stages.includes(stage)) {
        throw new UnderstudyError('AGENT_NO_SUCH_STAGE', `${agent} cannot be played on the stage "${stage}"`, {
          fix: `Use one of ${stages.join(', ')}.`,
        });
      }
      if (stage === 'sim') {
        this.commands.push(standInCommand(agent));
        writeProgram(
          join(bin, programOf(agent)),
          standInCommand(agent),
          this.#before(agent, simEnv) + tellingFirst(standInCommand(agent)),
        );
      } else Object.assign(env, await this.#placeReal(spec, bin));
    }
    Object.assign(env, simEnv);
    const path = env['PATH'] ?? '';
    const placed = agents.map((spec) => parseAgentSpec(spec).agent);
    for (const agent of agentNames) {
      // A real one that nobody put in place would be asked for real.
      if (!placed.includes(agent) && isInFolderOf(path, programOf(agent))) writeRefusal(bin, agent);
    }
    env['PATH'] = [bin, path].join(delimiter);
    this.#environment = env;
  }

  async #placeReal(spec: string, bin: string): Promise<Environment> {
    const { home, folder } = this.#options;
    const { agent } = parseAgentSpec(spec);
    const { command, version } = await findAgent(spec);
    this.commands.push(command);
    this.#versions.set(agent, version);
    const model = this.#model.access(agent, this.#server?.retriesOf(agent as ServedAgent));
    const { env, args } = settleModelAccess(definitions[agent as ServedAgent].client, { model, home });
    const terminal = this.#terminal();
    await this.#drivers.get(agent)?.prepareHome?.({ home, command, version, model, ...defined({ terminal }) });
    const real = recorded(agent, [...command, ...args], folder);
    writeProgram(join(bin, programOf(agent)), real, this.#before(agent, this.#server === undefined ? {} : env));
    return env;
  }

  /** Each call has a key of its own. */
  #terminal(): HomeOfCalls['terminal'] {
    const { terminalIn: cwd } = this.#options;
    const server = this.#server;
    if (cwd === undefined || server === undefined) return undefined;
    const steps = Array.from({ length: TERMINAL_STEPS }, (_, index) => index + 1);
    const calls = Array.from({ length: TERMINAL_CALLS }, (_, index) => index + 1);
    const keys = steps.flatMap((step) => calls.map((call) => taggedKey(server.key, { step, call })));
    return { cwd, keys };
  }

  /**
   * What an agent's program does first. It must not find the user's own settings and logins; and it asks our model, whatever
   * the program that started it has made of the variables.
   */
  #before(agent: AgentName, env: Environment): string {
    const { from, home, stage } = this.#options;
    const lines = from === undefined ? [] : [`export HOME=${shellWord(home)}; unset ${[...homeVariables].join(' ')}\n`];
    if (this.#server === undefined) return lines.join('');
    // On live, what leads to the real service is the user's own affair.
    const { ownTemp = false, otherServices = [] } = definitions[agent].called;
    const others = stage === 'live' ? [] : otherServices;
    return [
      ...lines,
      ...(ownTemp && from !== undefined ? [exports({ TMPDIR: this.#tempFolder() })] : []),
      `[ -n "$${CALLS_VARIABLE}" ] || . ${shellWord(join(this.#options.folder, STEP_FILE))}\n`,
      ...(others.length === 0 ? [] : [`unset ${others.join(' ')}\n`]),
      exports({ IS_SANDBOX: '1', ...env }, KEPT),
    ].join('');
  }

  #tempFolder(): string {
    const folder = join(this.#options.folder, 'temp');
    makeFolder(folder);
    return folder;
  }

  /** What leads SDKs to the model server: a program may ask the model itself. */
  #modelForProgram(step: number): Environment {
    const server = this.#server;
    if (server === undefined) return {};
    const key = taggedKey(server.key, { step });
    return {
      ...Object.assign(
        {},
        ...BROUGHT.map((agent) => server.environment(agent, defined({ retries: server.retriesOf(agent) })).env),
      ),
      ...sdkEnvironment({ url: server.url, key }),
    };
  }
}

/** The calls of agents, and those that the program made itself. They share the numbers only if there are both. */
function inOrder(calls: AgentCall[], asked: AgentCall[]): AgentCall[] {
  if (calls.length === 0 || asked.length === 0) return [...calls, ...asked];
  const all = [...calls, ...asked].sort((a, b) => a.startedAt - b.startedAt);
  return all.map((call, index) => ({ ...call, number: index + 1 }));
}

/** The agents that can be in place on a stage. */
export function agentsOn(stage: Stage): AgentName[] {
  return agentNames.filter((agent) => definitions[agent].stages.includes(stage));
}

/** In a sandbox, the stand-in tells what it did: its process begins as one that opens the way. */
function tellingFirst(command: readonly string[]): string {
  const words = ['perl', '-e', TELLING_LAUNCHER, ...command].map(shellWord).join(' ');
  return `[ -S ${RECORDS_SOCKET} ] && exec ${words} "$@"\n`;
}

function isInFolderOf(path: string, program: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

/** The variables of the running step, for an agent that was started without them. */
const STEP_FILE = 'step.sh';

function callsFolder(step: number): string {
  return `calls/${step}`;
}

/** The file that names agents that were called and are not in place. */
const REFUSED = 'refused';

function writeRefusal(bin: string, agent: AgentName): void {
  const program = programOf(agent);
  const message = `understudy: ${program} is not in place here; name ${agent} in \`agents\``;
  writeProgram(
    join(bin, program),
    ['false'],
    `echo ${program} >> "$${CALLS_VARIABLE}/${REFUSED}"; echo ${shellWord(message)} >&2; exit 127\n`,
  );
}
