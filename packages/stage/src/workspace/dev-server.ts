import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child, defined, type ErrorCode, runAllSteps, scrubbedEnvironment, UnderstudyError } from '@understudy/kit';
import { InnerPort } from '../isolation/inner-port.js';
import { openIsolation } from '../isolation/isolation.js';
import type { Attempt } from '../isolation/watch.js';
import type { Project } from './create-project.js';
import { freePort } from './free-port.js';
import { toolchainEnvironment } from './toolchain.js';

/** A development server that answers, or another program that a test needs beside it. */
export interface DevServer {
  url: string;
  port: number;
  pid: number;
  /** What it has written so far, line by line. */
  log: readonly string[];
  /** It has ended by itself. */
  readonly hasEnded: boolean;
  /** What it tried outside of its sandbox since the last look. */
  attempts(): Attempt[];
  /** Ends it and all that it started. May be called twice. */
  stop(): Promise<void>;
}

/**
 * When it has started: a line of its output says so, its port takes connections, or an address of its own answers as
 * one that is there.
 */
type Ready = { line: (text: string) => boolean } | { path: string } | 'port';

export interface DevServerOptions {
  /** What errors call it. */
  title?: string;
  /** In it and in the environment, `{{port}}` is its port. */
  command: readonly string[];
  folder: string;
  environment?: Record<string, string>;
  /** The page that must answer; any status below 500 will do. */
  path?: string;
  /** When it has started, instead of an answer of its page. */
  ready?: Ready;
  port?: number;
  deadlineMs?: number;
  /** How far it is kept apart from this machine: it runs what an agent writes. By default the best that works. */
  isolation?: string;
  /** What it needs inside beside its folder. */
  reach?: { writable?: readonly string[]; readable?: readonly string[]; ports?: readonly number[] };
  /** With a network of its own, where it is kept apart at all; `host` is that of this machine. */
  network?: 'own' | 'host';
  /** Ends the start. */
  signal?: AbortSignal;
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
  const withPort = (text: string) => text.replaceAll('{{port}}', String(port));
  const inner = new InnerPort(port);
  const cleanUps: (() => void | Promise<void>)[] = [() => inner.close()];
  try {
    const isolation = await openIsolation(options.isolation, {
      writable: [options.folder, ...writable],
      readable: [inner.folder, ...readable],
      ports,
      ...defined({ network: options.network }),
    });
    cleanUps.push(() => isolation.close());
    const { enclosure } = isolation;
    if (enclosure !== undefined) await inner.open();
    const child = await Child.start({
      command: options.command.map(withPort),
      cwd: options.folder,
      env: scrubbedEnvironment({
        ...Object.fromEntries(
          Object.entries(options.environment ?? {}).map(([name, value]) => [name, withPort(value)]),
        ),
        PORT: String(port),
      }),
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
    const isReady = readiness(url, options, log, () =>
      enclosure === undefined ? takesConnections(port) : inner.answers(),
    );
    await untilReady(child, isReady, options, log);
    return {
      ...{ url, port, pid: child.pid, log, attempts: () => isolation.look() },
      get hasEnded() {
        return child.hasEnded;
      },
      stop: () => runAllSteps(cleanUps),
    };
  } catch (error) {
    await runAllSteps(cleanUps);
    throw error;
  }
}

function readiness(
  url: string,
  { ready, path = '/' }: DevServerOptions,
  log: readonly string[],
  takes: () => Promise<boolean>,
): () => Promise<boolean> {
  if (ready === undefined) return () => answers(url + path, 500);
  if (ready === 'port') return takes;
  if ('path' in ready) return () => answers(url + ready.path, 404);
  return async () => log.some(ready.line);
}

async function untilReady(
  child: Child,
  isReady: () => Promise<boolean>,
  options: DevServerOptions,
  log: readonly string[],
): Promise<void> {
  const { deadlineMs = 60_000, signal } = options;
  const deadline = Date.now() + deadlineMs;
  while (!(await isReady())) {
    signal?.throwIfAborted();
    if (child.hasEnded) throw failed('WORKSPACE_SERVER_ENDED', 'ended before it was ready', options, log);
    if (Date.now() > deadline) {
      await child.kill('it was not ready');
      throw failed('WORKSPACE_SERVER_SILENT', `was not ready within ${deadlineMs} ms`, options, log);
    }
    await sleep(25);
  }
  // Somebody else's server may have answered in place of one that could not start.
  if (child.hasEnded) throw failed('WORKSPACE_SERVER_ENDED', 'ended as it became ready', options, log);
}

/** Whether a page answers with a status below a limit. */
async function answers(url: string, limit: number): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000), redirect: 'manual' });
    await response.body?.cancel();
    return response.status < limit;
  } catch {
    return false;
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

function failed(code: ErrorCode, what: string, options: DevServerOptions, log: readonly string[]): UnderstudyError {
  const said = log.length === 0 ? 'it wrote nothing' : `it wrote:\n${log.slice(-15).join('\n')}`;
  const { title = 'the development server', command, folder } = options;
  return new UnderstudyError(code, `${title} (${command.join(' ')}) ${what}; ${said}`, {
    fix: `Start it by hand in ${folder} with PORT set, and see that it listens there.`,
  });
}
