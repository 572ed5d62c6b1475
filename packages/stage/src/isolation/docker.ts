import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTempFolder,
  dockerClient,
  type Enclosed,
  type Enclosure,
  type Environment,
  readIfThere,
  reapIfLeft,
  releaseFromReaper,
  removeContainers,
  runToEnd,
  type Scratch,
  scrubbedEnvironment,
} from '@understudy/kit';
import { Askers } from './askers.js';
import { realPath } from './folders.js';
import { HostPorts } from './host-ports.js';
import { ISOLATION_VARIABLE } from './level.js';
import { LifeLine } from './life-line.js';
import { limitLines, type SandboxLimits, sandboxLimits } from './limits.js';
import type { Isolation, IsolationNeeds } from './provider.js';
import { readReport } from './report.js';
import { supervisorScript } from './supervisor.js';
import { type Attempt, SandboxWatch } from './watch.js';

/** The image that docker/agents.Dockerfile makes. */
const DEFAULT_IMAGE = 'understudy-agents';

const ASK_MS = 10_000;

let known: Promise<string | undefined> | undefined;

/** Why there are no containers here; undefined when an engine answers. Asked once. */
export function dockerProblem(): Promise<string | undefined> {
  known ??= askEngine();
  return known;
}

async function askEngine(): Promise<string | undefined> {
  try {
    const { code, stderr } = await runToEnd({
      command: [...dockerClient(), 'version', '--format', '{{.Server.Version}}'],
      ...{ cwd: '/', env: scrubbedEnvironment(), deadlineMs: ASK_MS },
    });
    return code === 0 ? undefined : `no engine answers: ${stderr.trim().split('\n').at(-1) ?? ''}`;
  } catch {
    return 'docker is not installed';
  }
}

const images = new Map<string, Promise<string | undefined>>();

/** Why an image cannot be used; undefined when the engine has it. Asked once for each. */
export function imageProblem(image: string = DEFAULT_IMAGE): Promise<string | undefined> {
  const asked = images.get(image) ?? askForImage(image);
  images.set(image, asked);
  return asked;
}

async function askForImage(image: string): Promise<string | undefined> {
  const { code } = await runToEnd({
    command: [...dockerClient(), 'image', 'inspect', '--format', '{{.Id}}', image],
    ...{ cwd: '/', env: scrubbedEnvironment(), deadlineMs: ASK_MS },
  });
  return code === 0 ? undefined : `the engine has no image ${image}, and nothing is pulled`;
}

/** Commands in containers of an image: without a network, with the folders that they need under the same paths. */
export async function openDocker(needs: IsolationNeeds, image: string = DEFAULT_IMAGE): Promise<Isolation> {
  const folder = createTempFolder();
  mkdirSync(join(folder.path, 'ports'));
  const askers = new Askers(needs);
  const ports = new HostPorts(join(folder.path, 'ports'), askers.find);
  for (const port of needs.ports) await ports.open(port);
  const containers = new Containers(needs, image, folder, ports, askers);
  return {
    ...{ level: 'docker', enclosure: containers, hidden: ['/root', '/home'], look: () => containers.look() },
    asker: (port) => ports.asker(port),
    async close() {
      await containers.close();
      ports.close();
      await folder.remove();
    },
  };
}

/** An engine may still be making a container whose client was killed. */
const ROUNDS = 2;
const MADE_WITHIN_MS = 300;

const RESERVE = 512 * 1024 ** 2;

/** Opens the report inside, and becomes the first process. */
const INSIDE = 'exec 3>/run/understudy-report; exec perl -e "$@"';

class Containers implements Enclosure {
  readonly #attempts: Attempt[] = [];
  readonly #limits: SandboxLimits;
  /** Containers that have not reported their end. */
  readonly #open = new Map<string, LifeLine>();
  #started = 0;

  constructor(
    readonly needs: IsolationNeeds,
    readonly image: string,
    readonly folder: Scratch,
    readonly ports: HostPorts,
    readonly askers: Askers,
  ) {
    this.#limits = { ...sandboxLimits, ...needs.limits };
  }

  enclose(command: readonly string[], { cwd, env }: { cwd: string; env: Environment }): Enclosed {
    const number = ++this.#started;
    const report = join(this.folder.path, `report-${number}`);
    writeFileSync(report, '');
    this.askers.expect(report);
    const name = `${basename(this.folder.path)}-${number}`;
    // Before it is made: we may be killed before the next line.
    reapIfLeft('container', name);
    const line = new LifeLine(join(this.folder.path, 'ports', `life-${number}`));
    this.#open.set(name, line);
    const watch = new SandboxWatch({
      report,
      isolatedNetwork: this.needs.network !== 'host',
      ...{ folders: [], limits: this.#limits },
    });
    return {
      command: [...dockerClient(), 'run', '--name', name, ...this.#options(report, cwd, env), this.image].concat(
        this.#inside(command, env, `/run/understudy/life-${number}`),
      ),
      started() {},
      // The processes of an engine are not ours to signal.
      mainPid: () => undefined,
      signal: (signal) => line.signal(signal),
      ending: () => line.cut(),
      conclude: (exit) => {
        const told = readReport(readIfThere(report) ?? '');
        this.#attempts.push(...watch.end(told));
        line.cut();
        if (told.ended !== undefined) this.#forget(name);
        return told.ended === undefined ? exit : { ...told.ended, leftovers: told.leftovers };
      },
    };
  }

  look(): Attempt[] {
    return this.#attempts.splice(0);
  }

  /** Removes what did not end by itself. */
  async close(): Promise<void> {
    const names = [...this.#open.keys()];
    for (const line of this.#open.values()) line.cut();
    for (let round = 0; names.length > 0 && round < ROUNDS; round++) {
      if (round > 0) await sleep(MADE_WITHIN_MS);
      await removeContainers(names);
    }
    for (const name of names) this.#forget(name);
  }

  #forget(name: string): void {
    this.#open.delete(name);
    releaseFromReaper('container', name);
  }

  #options(report: string, cwd: string, env: Environment): string[] {
    const user = process.getuid === undefined ? [] : ['--user', `${process.getuid()}:${process.getgid?.() ?? 0}`];
    const { PATH = '', ...rest } = env;
    const { processes, memoryBytes, temporaryBytes } = this.#limits;
    // The programs of the image come after what a rehearsal puts first.
    const own = PATH.split(delimiter).filter((folder) => this.needs.writable.some((one) => folder.startsWith(one)));
    const path = [...own, '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'].join(delimiter);
    const isOwnNetwork = this.needs.network !== 'host';
    const variables = Object.entries({
      ...{ ...rest, PATH: path, [ISOLATION_VARIABLE]: 'none' },
      // There is no network to wait for: npm would try again for more than a minute.
      ...(isOwnNetwork ? { npm_config_fetch_retries: '0' } : {}),
    });
    return [
      ...['--rm', '--pull', 'never', '--interactive', '--network', isOwnNetwork ? 'none' : 'host', ...user],
      ...['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--entrypoint', '/bin/sh'],
      // The first process sees a limit before the engine ends something without a word.
      ...['--pids-limit', String(2 * processes), '--memory', String(memoryBytes + RESERVE), '--cpus', '2'],
      ...['--tmpfs', `/tmp:mode=1777,size=${temporaryBytes}`, '--tmpfs', '/run:size=16m', '--workdir', cwd],
      ...mounts(this.needs, env).flatMap((mount) => ['--volume', mount]),
      ...['--volume', `${join(this.folder.path, 'ports')}:/run/understudy:ro`],
      ...['--volume', `${report}:/run/understudy-report`],
      ...variables.flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
  }

  #inside(command: readonly string[], env: Environment, life: string): string[] {
    // The image has its own Node.
    const own = command.map((word) => (word === process.execPath ? 'node' : word));
    return [
      ...['-c', INSIDE, 'sh', supervisorScript(), this.ports.numbers.join('\n'), '/tmp', ''],
      ...[limitLines(this.#limits), writableFolders(this.needs, env).join('\n'), life, ...own],
    ];
  }
}

function writableFolders({ writable }: IsolationNeeds, env: Environment): string[] {
  return [...new Set([...writable, env['TMPDIR'] ?? ''].flatMap((path) => realPath(path) ?? []))];
}

function mounts(needs: IsolationNeeds, env: Environment): string[] {
  const { readable } = needs;
  const open = new Set(writableFolders(needs, env));
  const shown = new Set(readable.flatMap((path) => realPath(path) ?? []).filter((path) => !open.has(path)));
  // The system's folders are those of the image.
  const isOfSystem = (path: string) => /^\/(?:$|usr|bin|sbin|lib|etc)/.test(path);
  return [
    ...[...shown].filter((path) => !isOfSystem(path)).map((path) => `${path}:${path}:ro`),
    ...[...open].map((path) => `${path}:${path}`),
    ...(needs.repositories ?? []).flatMap(({ folder, kept }) => [
      ...(kept.includes(folder) ? [] : [`${folder}:${folder}`]),
      ...kept.map((path) => `${path}:${path}:ro`),
    ]),
  ];
}
