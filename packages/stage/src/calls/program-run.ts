import { delimiter } from 'node:path';
import { type Stage, storeFolder } from '@understudy/agents';
import { createTempFolder, defined, type Enclosure, type Environment, runAllSteps } from '@understudy/kit';
import type { AskedBy, ModelServer } from '@understudy/model';
import { openIsolation, portsOf } from '../isolation/isolation.js';
import type { Isolation, IsolationNeeds } from '../isolation/provider.js';
import type { Records } from '../isolation/records.js';
import type { Attempt } from '../isolation/watch.js';
import { OutsideWatch } from './outside-watch.js';
import { AgentsInPlace, type CallState, type PlaceOptions } from './place-agents.js';
import { type EndedProgram, type ProgramOptions, runProgram } from './run-program.js';

export interface ProgramRunOptions {
  stage: Stage;
  /** What keeps programs apart from this machine, and what they need beside the model; absent, nothing does. */
  isolation?: Omit<IsolationNeeds, 'ports'> & { requested: string | undefined; urls?: readonly string[] };
  /** Programs have a temp folder of their own. */
  ownTemp?: boolean;
  /** Who may ask the model in the name of an agent. */
  askedBy?: AskedBy | undefined;
  /** Programs reach what they reach. On live they always do. */
  letsOut?: boolean;
}

/** How one program is started. */
export interface Around {
  state?: CallState | undefined;
  /** More variables. */
  env?: Environment | undefined;
  /** What follows the agents on its PATH, instead of the usual. */
  path?: string | undefined;
}

/** Agents that were put in place, and the model that they share. */
export interface InPlace {
  environment(step: number, state?: CallState): Environment;
  readonly server?: (Pick<ModelServer, 'url'> & Partial<Pick<ModelServer, 'knowAskers'>>) | undefined;
  /** The commands of the real ones, without arguments. */
  readonly commands?: readonly (readonly string[])[];
  /** What recorders tell is there, and not in files. */
  readFrom?(records: Records): void;
  close(): Promise<void>;
}

interface Parts<Agents> {
  agents: Agents;
  isolation: Isolation;
  outside: OutsideWatch | undefined;
  env: Environment;
  cleanUps: readonly (() => void | Promise<void>)[];
}

/** The one way to run programs with agents in place: on a stage, apart from this machine, and every call is recorded. */
export class ProgramRun<Agents extends InPlace = AgentsInPlace> {
  readonly agents: Agents;
  /** What is around the programs. */
  readonly isolation: Isolation;
  readonly #parts: Parts<Agents>;

  private constructor(parts: Parts<Agents>) {
    this.agents = parts.agents;
    this.isolation = parts.isolation;
    this.#parts = parts;
  }

  /** Puts the agents in place, and opens what is around them. */
  static async open(options: PlaceOptions & ProgramRunOptions): Promise<ProgramRun> {
    return ProgramRun.around(await AgentsInPlace.start(options), options);
  }

  /** Opens what is around agents that are in place. They go with it. */
  static async around<Agents extends InPlace>(agents: Agents, options: ProgramRunOptions): Promise<ProgramRun<Agents>> {
    const { stage, ownTemp = false, letsOut = stage === 'live', askedBy } = options;
    const cleanUps: (() => void | Promise<void>)[] = [() => agents.close()];
    try {
      const outside = letsOut ? undefined : await OutsideWatch.start();
      cleanUps.unshift(() => outside?.close());
      const temp = ownTemp ? createTempFolder() : undefined;
      cleanUps.unshift(() => temp?.remove());
      const { requested, urls = [], ...needs } = options.isolation ?? { requested: 'none', writable: [], readable: [] };
      const isolation = await openIsolation(requested, {
        ...{ ...needs, readable: [storeFolder(), ...needs.readable] },
        ports: portsOf([agents.server?.url, outside?.url, ...urls]),
        ...defined({ agents: agents.commands }),
      });
      if (isolation.records !== undefined) agents.readFrom?.(isolation.records);
      if (agents.commands !== undefined) agents.server?.knowAskers?.((port) => isolation.asker(port), askedBy);
      cleanUps.unshift(() => isolation.close());
      const ofTemp = temp === undefined ? {} : { TMPDIR: temp.path, CLAUDE_CODE_TMPDIR: temp.path };
      return new ProgramRun({ agents, isolation, outside, env: { ...outside?.environment, ...ofTemp }, cleanUps });
    } catch (error) {
      await runAllSteps(cleanUps).catch(() => {});
      throw error;
    }
  }

  /** Runs a program to its end. `number` keeps its calls apart from those of others. */
  run(
    number: number,
    { env, state, path, ...program }: Omit<ProgramOptions, 'env' | 'enclosure'> & Around,
  ): Promise<EndedProgram> {
    return runProgram({ ...program, ...this.begin(number, { env, state, path }) });
  }

  /** With what a program is started, for who starts it. What was tried before is not its doing. */
  begin(number: number, { env, state, path }: Around = {}): { env: Environment; enclosure: Enclosure | undefined } {
    this.#parts.outside?.takeModelHosts();
    const placed = this.agents.environment(number, state);
    const bin = placed['PATH']?.split(delimiter)[0] ?? '';
    return {
      env: {
        ...placed,
        ...this.#parts.env,
        ...env,
        ...(path === undefined ? {} : { PATH: [bin, path].join(delimiter) }),
      },
      enclosure: this.isolation.enclosure,
    };
  }

  /** The hosts of models that programs wanted to reach, and what they tried outside of their sandbox, since the last look. */
  tried(): { hosts: string[]; attempts: Attempt[] } {
    return { hosts: this.#parts.outside?.takeModelHosts() ?? [], attempts: this.isolation.look() };
  }

  close(): Promise<void> {
    return runAllSteps(this.#parts.cleanUps);
  }
}
