import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createScratch, defined, runAllSteps, scrubbedEnvironment, UnderstudyError, waitForAll } from '@understudy/kit';
import {
  type IsolationState,
  isLocal,
  isolateLook,
  type ServerConfig,
  stateOf,
  TRIED_FIX,
  triedIn,
  withVariables,
} from '@understudy/stage';
import { freshId } from '../ids.js';
import { ChildTransport } from './child-transport.js';

const START_MS = 30_000;
const PING_MS = 10_000;

/** A server under test that we talk to. */
export interface StartedServer {
  id: string;
  name: string;
  client: Client;
  transport: ChildTransport | StreamableHTTPClientTransport;
  startedAt: Date;
  /** How far it is kept apart from this machine; a server on another machine is not. */
  isolation?: IsolationState;
  /** What it tried outside of its sandbox so far, which did not succeed. */
  tried(): readonly string[];
}

/** Removes what was around it. */
interface HeldServer extends StartedServer {
  release(): Promise<void>;
}

export interface Communication {
  responding: boolean;
  /** One real round trip: a ping, there and back. */
  latencyMs?: number;
  tools: { name: string; description?: string }[];
  server?: { name: string; version: string };
  problem?: string;
}

export interface StartServerOptions {
  name: string;
  config: ServerConfig;
  /** Where it runs, which is also `${CLAUDE_PROJECT_DIR}`, and the folder that `${CLAUDE_PLUGIN_ROOT}` stands for. */
  cwd: string;
  pluginRoot?: string;
  /** As `--isolation`. */
  isolation?: string | undefined;
}

/** The MCP servers that a user has started, by id. */
export class StartedServers {
  readonly #limit: number;
  readonly #servers = new Map<string, HeldServer>();
  #starting = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get all(): readonly StartedServer[] {
    return [...this.#servers.values()];
  }

  /** Starts the real server and shakes hands with it. */
  async start(options: StartServerOptions): Promise<StartedServer> {
    const { name, config, cwd, pluginRoot } = options;
    if (this.#servers.size + this.#starting >= this.#limit) {
      throw new UnderstudyError('HARNESS_TOO_MANY_SERVERS', `${this.#limit} MCP servers run already`, {
        fix: 'Stop one with stop_mcp_server.',
      });
    }
    const filled = withVariables(config, { CLAUDE_PROJECT_DIR: cwd, ...defined({ CLAUDE_PLUGIN_ROOT: pluginRoot }) });
    const around = isLocal(filled) ? await openAround(options) : undefined;
    const transport = isLocal(filled)
      ? new ChildTransport({
          command: [filled.command, ...(filled.args ?? [])],
          cwd,
          env: scrubbedEnvironment({ ...defined({ HOME: around?.home }), ...filled.env }),
          enclosure: around?.isolation.enclosure,
        })
      : new StreamableHTTPClientTransport(new URL(filled.url), { requestInit: { headers: filled.headers ?? {} } });
    const client = new Client({ name: 'understudy', version: '1' });
    this.#starting++;
    try {
      await client.connect(transport, { timeout: START_MS });
    } catch (cause) {
      await transport.close();
      const told = transport instanceof ChildTransport ? transport.describeEnd() : '';
      const tried = around?.tried(told) ?? [];
      await around?.release();
      if (cause instanceof UnderstudyError) throw cause;
      const end = told === '' ? '' : ` (${[...tried.map((one) => `it tried: ${one}`), told].join('; ')})`;
      throw new UnderstudyError(
        'MCP_SERVER_NOT_STARTED',
        `the MCP server ${name} did not come up: ${(cause as Error).message}${end}`,
        {
          fix:
            tried.length > 0
              ? TRIED_FIX
              : 'Run its command by hand: it must speak MCP on stdout, and nothing else may.',
          cause,
        },
      );
    } finally {
      this.#starting--;
    }
    const server: HeldServer = {
      ...{ id: freshId('mcp'), name, client, transport, startedAt: new Date() },
      ...(around === undefined ? {} : { isolation: stateOf(around.isolation) }),
      tried: () => around?.tried(transport instanceof ChildTransport ? transport.describeEnd() : '') ?? [],
      release: async () => around?.release(),
    };
    this.#servers.set(server.id, server);
    return server;
  }

  find(id: string): StartedServer {
    return this.#find(id);
  }

  #find(id: string): HeldServer {
    const server = this.#servers.get(id);
    if (server !== undefined) return server;
    const known = [...this.#servers.keys()];
    throw new UnderstudyError('HARNESS_NO_SERVER', `there is no MCP server ${JSON.stringify(id)}`, {
      fix: known.length === 0 ? 'Start one with start_mcp_server.' : `Use one of ${known.join(', ')}.`,
    });
  }

  /** Sends a ping, takes the time, and asks for the tools. A server that is silent is an answer, too. */
  async verify(id: string): Promise<Communication> {
    const { client, transport } = this.find(id);
    const info = client.getServerVersion();
    try {
      const started = performance.now();
      await client.ping({ timeout: PING_MS });
      const latencyMs = performance.now() - started;
      const offersTools = client.getServerCapabilities()?.tools !== undefined;
      const { tools } = offersTools ? await client.listTools(undefined, { timeout: PING_MS }) : { tools: [] };
      return {
        responding: true,
        latencyMs,
        tools: tools.map(({ name, description }) => ({ name, ...defined({ description }) })),
        ...(info === undefined ? {} : { server: { name: info.name, version: info.version } }),
      };
    } catch (error) {
      const end = transport instanceof ChildTransport ? `; ${transport.describeEnd()}` : '';
      return { responding: false, tools: [], problem: `${(error as Error).message}${end}` };
    }
  }

  async stop(id: string): Promise<StartedServer> {
    const server = this.#find(id);
    this.#servers.delete(id);
    const close = [() => server.client.close(), () => server.transport.close(), () => server.release()];
    await runAllSteps(close);
    return server;
  }

  async stopAll(): Promise<number> {
    const ids = [...this.#servers.keys()];
    await waitForAll(ids.map((id) => this.stop(id)));
    return ids.length;
  }
}

/** The same as around the servers of a rehearsal: the plugin can be read, and there is no network. */
async function openAround({ cwd, pluginRoot, isolation: level }: StartServerOptions) {
  const scratch = createScratch('server');
  const isolation = await isolateLook(
    { isolation: level },
    { writable: [scratch.path, ...(cwd === pluginRoot ? [] : [cwd])], readable: [cwd, pluginRoot ?? cwd], ports: [] },
  ).catch(async (error: unknown) => {
    await scratch.remove();
    throw error;
  });
  const tried = new Set<string>();
  return {
    isolation,
    home: scratch.path,
    tried(stderr: string): string[] {
      for (const text of triedIn(isolation, [{ stderr }])) tried.add(text);
      return [...tried];
    },
    release: () => runAllSteps([() => isolation.close(), () => scratch.remove()]),
  };
}
