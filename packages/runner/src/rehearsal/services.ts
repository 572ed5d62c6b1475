import { join } from 'node:path';
import {
  defined,
  type Environment,
  makeFolder,
  offlineEnvironment,
  type Path,
  runAllSteps,
  writeWhole,
} from '@understudy/kit';
import { asTextPattern, compileTextPattern } from '@understudy/script';
import type { Project } from '@understudy/stage';
import { type Attempt, type DevServer, escapesOfProgram, startDevServer, startProjectServer } from '@understudy/stage';
import { type CheckResult, statusOf } from '@understudy/verdict';
import type { Rehearsal } from './load.js';
import { ProgramStart, type Values } from './program-start.js';
import { readableNextToRehearsal } from './readable-next-to.js';
import type { RehearseOptions } from './rehearse-options.js';
import { type ServiceDescription, variablesOf } from './run-schema.js';

interface Running {
  name: string;
  server: DevServer;
  /** Which of `[[services]]` it is; the server of the project is none. */
  index?: number;
}

/** What runs beside the steps: the server of the project, and `[[services]]`. */
export class Services {
  readonly #running: Running[] = [];
  readonly #logs: string;

  private constructor(logs: string) {
    this.#logs = logs;
  }

  /** Starts them one after the other: each may use those before it. */
  static async start(rehearsal: Rehearsal, options: RehearseOptions, project: Project | undefined): Promise<Services> {
    const { document } = rehearsal;
    const services = new Services(join(options.folder, 'artifacts', 'services'));
    try {
      if (document.project?.serve === true && project !== undefined) {
        const server = await startProjectServer(project, defined({ isolation: options.isolation }));
        services.#running.push({ name: 'the development server', server });
      }
      for (const [index, service] of (document.services ?? []).entries()) {
        const server = await services.#open(service, rehearsal, options);
        services.#running.push({ name: service.name, server, index });
      }
      return services;
    } catch (error) {
      await services.stop();
      throw error;
    }
  }

  #open(service: ServiceDescription, rehearsal: Rehearsal, options: RehearseOptions): Promise<DevServer> {
    const { folder, stage, isolation, signal } = options;
    const home = join(folder, 'home');
    makeFolder(home);
    const isLive = stage === 'live';
    const { command, cwd, env, path } = new ProgramStart(rehearsal, join(folder, 'project'), this.values).of(service);
    return startDevServer({
      ...{ title: `the service ${service.name}`, command, folder: cwd, ready: readyOf(service) },
      environment: {
        ...(isLive ? {} : offlineEnvironment),
        ...{ HOME: home, ...this.variables, ...env },
        ...defined({ PATH: path }),
      },
      reach: {
        writable: [join(folder, 'project'), home],
        readable: readableNextToRehearsal(rehearsal),
        ports: this.#running.map(({ server }) => server.port),
      },
      ...{ network: isLive ? 'host' : 'own', deadlineMs: service.timeout_ms ?? 60_000 },
      ...defined({ port: service.port, isolation, signal }),
    });
  }

  /** Their addresses, for `{{…}}`: `url` is that of the project. */
  get values(): Values {
    const pairs = this.#running.flatMap(({ name, server, index }) =>
      index === undefined
        ? [['url', server.url]]
        : [
            [`${name}.url`, server.url],
            [`${name}.port`, String(server.port)],
          ],
    );
    return Object.fromEntries(pairs) as Values;
  }

  /** The same for agents and programs. */
  get variables(): Environment {
    const named = this.#running.filter(({ index }) => index !== undefined);
    return Object.assign(
      {},
      ...named.map(({ name, server }) => {
        const [url, port] = variablesOf(name);
        return { [url]: server.url, [port]: String(server.port) };
      }),
    ) as Environment;
  }

  get urls(): string[] {
    return this.#running.map(({ server }) => server.url);
  }

  /** What they tried outside of their sandboxes. */
  attempts(): (Attempt & { by: string })[] {
    return this.#running.flatMap(({ name, server }) =>
      escapesOfProgram(server.attempts()).map((attempt) => ({ ...attempt, by: name })),
    );
  }

  /** That each of `[[services]]` still runs, for the end of the steps. */
  checks(locate: (path: Path, checks: readonly CheckResult[]) => CheckResult[]): CheckResult[] {
    return this.#running.flatMap(({ name, server, index }) => {
      if (index === undefined) return [];
      const check: CheckResult = {
        ...{ name: `service ${name}`, category: 'processes', subject: { kind: 'processes' } },
        ...{ status: statusOf(!server.hasEnded), expected: 'it runs until the last step is over' },
        ...{
          actual: server.hasEnded ? 'it has ended' : 'it runs',
          evidence: server.hasEnded ? server.log.slice(-15) : [],
        },
      };
      return locate(['services', index], [check]);
    });
  }

  /** Ends them, the last one first. What they wrote is kept. */
  stop(): Promise<void> {
    return runAllSteps(
      this.#running.toReversed().map(({ name, server, index }) => async () => {
        await server.stop();
        if (index !== undefined) writeWhole(join(this.#logs, `${name}.log`), `${server.log.join('\n')}\n`);
      }),
    );
  }
}

function readyOf({ ready: { line, http } = {} }: ServiceDescription) {
  if (http !== undefined) return { path: http };
  if (line === undefined) return 'port' as const;
  const pattern = compileTextPattern(asTextPattern(line));
  return { line: (text: string) => pattern.match(text) !== undefined };
}
