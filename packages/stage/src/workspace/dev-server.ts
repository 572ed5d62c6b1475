import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child, type ErrorCode, runAllSteps, scrubbedEnvironment, UnderstudyError } from '@understudy/kit';
import { InnerPort } from '../isolation/inner-port.js';
import { openIsolation } from '../isolation/isolation.js';
import type { Attempt } from '../isolation/watch.js';
import type { Project } from './create-project.js';
import { freePort } from './free-port.js';
import { toolchainEnvironment } from './toolchain.js';

/** A development server that answers. */
export interface DevServer {
  url: string;
  port: number;
  pid: number;
  /** What it has written so far, line by line. */
  log: readonly string[];
  /** What it tried outside of its sandbox since the last look. */
  attempts(): Attempt[];
  /** Ends it and all that it started. May be called twice. */
  stop(): Promise<void>;
}

export interface DevServerOptions {
  command: readonly string[];
  folder: string;
  environment?: Record<string, string>;
  /** The page that must answer; any status below 500 will do. */
  path?: string;
  port?: number;
  deadlineMs?: number;
  /** How far it is kept apart from this machine: it runs what an agent writes. By default the best that works. */
  isolation?: string;
  /** What it needs inside beside its folder. */
  reach?: { writable?: readonly string[]; readable?: readonly string[]; ports?: readonly number[] };
}

const POLITE_MS = 2000;
const ATTEMPTS = 3;

/** Starts the server of a web project on a free port. */
export async function startProjectServer(
  project: Project,
  options: Pick<DevServerOptions, 'port' | 'isolation' | 'reach'> = {},
): Promise<DevServer> {
  if (project.serveCommand === undefined) {
    throw new UnderstudyError('WORKSPACE_NO_SERVER', `a ${project.type} project has no development server`, {
      fix: 'Make a web-app project, or name the command with startDevServer.',
    });
  }
  return startDevServer({
    command: project.serveCommand,
    folder: project.folder,
    // In a sandbox there is no home, and this is a folder of its own.
    environment: toolchainEnvironment(project.language, { GOCACHE: join(tmpdir(), 'understudy-gocache') }),
    ...options,
  });
}

/** Starts a server that listens on the port in PORT, and waits until it answers. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port);
    try {
      return await startOn(port, options);
    } catch (error) {
      // Another program took the port before the server started.
      const lost = error instanceof Error && /EADDRINUSE|address already in use/i.test(error.message);
      if (!lost || options.port !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, options: DevServerOptions): Promise<DevServer> {
  const { writable = [], readable = [], ports = [] } = options.reach ?? {};
  const log: string[] = [];
  const keep = (line: string) => log.push(line);
  const inner = new InnerPort(port);
  const cleanUps: (() => void | Promise<void>)[] = [() => inner.close()];
  try {
    const isolation = await openIsolation(options.isolation, {
      writable: [options.folder, ...writable],
      readable: [inner.folder, ...readable],
      ports,
    });
    cleanUps.push(() => isolation.close());
    const { enclosure } = isolation;
    if (enclosure !== undefined) await inner.open();
    const child = await Child.start({
      command: options.command,
      cwd: options.folder,
      env: scrubbedEnvironment({ ...options.environment, PORT: String(port) }),
      onLine: keep,
      onErrorLine: keep,
      enclosure: enclosure && inner.within(enclosure),
      lasting: true,
    });
    cleanUps.unshift(async () => {
      child.signal('SIGTERM');
      await child.exitWithin(POLITE_MS, 'stop');
    });
    // Nobody waits for a server that is gone.
    child.exited.then(() => inner.close()).catch(() => {});
    const url = `http://127.0.0.1:${port}`;
    await untilAnswering(child, url, options, log);
    return {
      ...{ url, port, pid: child.pid, log, attempts: () => isolation.look() },
      stop: () => runAllSteps(cleanUps),
    };
  } catch (error) {
    await runAllSteps(cleanUps);
    throw error;
  }
}

async function untilAnswering(
  child: Child,
  url: string,
  options: DevServerOptions,
  log: readonly string[],
): Promise<void> {
  const deadline = Date.now() + (options.deadlineMs ?? 60_000);
  while (!(await answers(url + (options.path ?? '/')))) {
    if (child.hasEnded) throw failed('WORKSPACE_SERVER_ENDED', 'ended before it answered', options, log);
    if (Date.now() > deadline) {
      await child.kill('it did not answer');
      throw failed('WORKSPACE_SERVER_SILENT', `did not answer on ${url}`, options, log);
    }
    await sleep(25);
  }
  // Somebody else's server may have answered in place of one that could not start.
  if (child.hasEnded) throw failed('WORKSPACE_SERVER_ENDED', 'ended as it began to answer', options, log);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}

function failed(code: ErrorCode, what: string, options: DevServerOptions, log: readonly string[]): UnderstudyError {
  const said = log.length === 0 ? 'it wrote nothing' : `it wrote:\n${log.slice(-15).join('\n')}`;
  return new UnderstudyError(code, `the development server (${options.command.join(' ')}) ${what}; ${said}`, {
    fix: `Start it by hand in ${options.folder} with PORT set, and see that it listens there.`,
  });
}
