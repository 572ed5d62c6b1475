import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, UnderstudyError } from '../errors.js';
import { Child } from '../process/child.js';
import { scrubbedEnvironment } from '../process/environment.js';
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
}

const POLITE_MS = 2000;
const ATTEMPTS = 3;

/** Starts the server of a web project on a free port. */
export async function startProjectServer(project: Project, options: { port?: number } = {}): Promise<DevServer> {
  if (project.serveCommand === undefined) {
    throw new UnderstudyError('WORKSPACE_NO_SERVER', `a ${project.type} project has no development server`, {
      fix: 'Make a web-app project, or name the command with startDevServer.',
    });
  }
  return startDevServer({
    command: project.serveCommand,
    folder: project.folder,
    environment: toolchainEnvironment(project.language),
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
      const lost = error instanceof UnderstudyError && /EADDRINUSE|address already in use/i.test(error.message);
      if (!lost || options.port !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, options: DevServerOptions): Promise<DevServer> {
  const log: string[] = [];
  const keep = (line: string) => log.push(line);
  const child = await Child.start({
    command: options.command,
    cwd: options.folder,
    env: scrubbedEnvironment({ ...options.environment, PORT: String(port) }),
    onLine: keep,
    onErrorLine: keep,
    lasting: true,
  });
  const url = `http://127.0.0.1:${port}`;
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
  return {
    url,
    port,
    pid: child.pid,
    log,
    async stop() {
      child.signal('SIGTERM');
      await child.exitWithin(POLITE_MS, 'stop');
    },
  };
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
