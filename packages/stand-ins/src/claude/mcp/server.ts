import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isObject, type JsonObject } from '@understudy/kit';
import { type Channel, type Handlers, type RequestOptions, ServerError } from '../../shared/mcp/peer.js';
import { recordUnsupported } from '../../shared/record-call.js';
import type { Host } from '../output/host.js';
import { REFUSED } from '../refused.js';
import type { McpServerConfig, McpSource } from './config.js';
import { type Connection, connect, kindOf } from './connect.js';
import { createServerLog } from './server-log.js';

const DEFAULT_TIMEOUT_MS = 30_000;

/** How long the CLI waits before it asks for tools again that a server could not list. */
const TRIES_MS = [250, 500, 1000];

/** A list that never ends is no list. */
const MOST_PAGES = 64;

export interface McpConnectOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  version: string;
  host: Host | undefined;
  timeoutMs?: number;
}

/** One MCP server of a session. */
export class McpServer {
  readonly name: string;
  readonly source: McpSource;
  readonly config: JsonObject;
  status: 'pending' | 'connected' | 'failed' | 'disabled' | 'needs-auth' = 'pending';
  error: ServerError | undefined;
  /** Why its tools are not known. */
  listProblem: string | undefined;
  info: { name: string; version: string } | undefined;
  tools: { name: string; annotations: JsonObject }[] = [];
  hasResources = false;
  /** Resolves when it is known whether it can be reached. */
  connecting: Promise<void> = Promise.resolve();
  /** The host has given it while the session ran. */
  isSetByHost = false;
  readonly #options: McpConnectOptions;
  readonly #variables: Record<string, string>;
  #connection: Connection | undefined;
  #restarting: Promise<void> | undefined;
  #stopping = new AbortController();

  constructor({ name, source, config, variables = {} }: McpServerConfig, options: McpConnectOptions) {
    this.name = name;
    this.source = source;
    this.config = config;
    this.#options = options;
    this.#variables = variables;
  }

  get isOfHost(): boolean {
    return this.source === 'sdk' || this.config['type'] === 'sdk';
  }

  start(): void {
    this.status = 'pending';
    this.#stopping = new AbortController();
    this.connecting = this.#begin();
  }

  /** Ends it: nothing of it is left but its name. */
  async stop(gently = false): Promise<void> {
    this.#stopping.abort();
    await this.#connection?.peer.close(gently).catch(() => {});
    await this.connecting;
    await this.#connection?.peer.close(gently).catch(() => {});
    this.#connection = undefined;
    this.error = undefined;
    this.info = undefined;
    this.tools = [];
    this.hasResources = false;
  }

  /** Asks the server something. One that has ended is started again. */
  async request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    if (this.#connection?.peer.isClosed === true && !this.#stopping.signal.aborted) await this.#startAgain();
    const peer = this.#connection?.peer;
    if (peer === undefined) throw new ServerError('Not connected');
    const result = await peer.request(method, params, options);
    if (result['resultType'] !== 'input_required') return result;
    this.#cancel();
    throw new ServerError('the server asks for input');
  }

  /** Several may ask for it at the same time. */
  #startAgain(): Promise<void> {
    this.#restarting ??= this.#connect()
      .then((connection) => {
        this.#connection = connection;
      })
      .finally(() => {
        this.#restarting = undefined;
      });
    return this.#restarting;
  }

  async #begin(): Promise<void> {
    try {
      this.#connection = await this.#connect();
      const { info, capabilities } = this.#connection;
      this.info = info;
      this.hasResources = isObject(capabilities['resources']);
      await this.#listTools();
      this.status = 'connected';
    } catch (error) {
      this.error = error instanceof ServerError ? error : new ServerError(String(error));
      this.status = this.error.code === 'UNAUTHORIZED' ? 'needs-auth' : 'failed';
    }
  }

  async #connect(): Promise<Connection> {
    const { type } = this.config;
    try {
      return await this.#connectAs(type);
    } catch (error) {
      const { NoEndpoint } = await import('../../shared/mcp/web-channel.js');
      if (!(error instanceof NoEndpoint) || type === 'sse') throw error;
      // It may be one of the older kind.
      return await this.#connectAs('sse').catch(() => {
        throw error;
      });
    }
  }

  async #connectAs(type: unknown): Promise<Connection> {
    const { version } = this.#options;
    const { isOfHost } = this;
    const giveUp = new AbortController();
    const connected = connect({
      channel: () => this.#channel(type),
      handlers: this.#handlers(),
      version,
      timeoutMs: this.#timeout,
      signal: AbortSignal.any([this.#stopping.signal, giveUp.signal]),
      isOfHost,
      isProbed: !isOfHost && type !== 'sse',
    });
    if (typeof this.config['url'] !== 'string') return connected;
    // An address may take all the time for the first of several requests.
    const milliseconds = this.#timeout;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ServerError(`MCP server "${this.name}" connection timed out after ${milliseconds}ms`));
        giveUp.abort();
      }, milliseconds);
    });
    connected.catch(() => {});
    return Promise.race([connected, over]).finally(() => clearTimeout(timer));
  }

  get #timeout(): number {
    const { timeoutMs, env } = this.#options;
    const asked = Number(env['MCP_TIMEOUT']);
    return timeoutMs ?? (asked > 0 ? asked : DEFAULT_TIMEOUT_MS);
  }

  /** What the server may ask of us, and what it may report. */
  #handlers(): Handlers {
    return {
      ping: () => ({}),
      ...(this.isOfHost
        ? {}
        : {
            'roots/list': () => ({ roots: [{ uri: pathToFileURL(this.#options.cwd).href }] }),
            'elicitation/create': () => this.#cancel(),
          }),
      'notifications/tools/list_changed': () => recordUnsupported(`${REFUSED.otherTools} ${this.name}`),
    };
  }

  /** Nobody is asked. */
  #cancel(): JsonObject {
    recordUnsupported(`${REFUSED.serverQuestions} ${this.name} asks.`);
    return { action: 'cancel' };
  }

  async #listTools(): Promise<void> {
    if (!isObject(this.#connection?.capabilities['tools'])) return;
    for (let tried = 0; ; tried++) {
      try {
        const tools = await this.#list('tools');
        this.tools = tools.map((tool, at) => readTool(tool, at));
        this.listProblem = undefined;
        return;
      } catch (error) {
        this.listProblem = error instanceof Error ? error.message : String(error);
        if (tried >= TRIES_MS.length || this.#stopping.signal.aborted || this.#connection?.peer.isClosed) return;
        await sleep(TRIES_MS[tried], undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  /** All pages of a list. */
  async #list(list: string): Promise<JsonObject[]> {
    const found: JsonObject[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = cursor === undefined ? undefined : { cursor };
      const result = await this.#connection?.peer.request(`${list}/list`, params, { timeoutMs: this.#timeout });
      const items = result?.[list];
      if (!Array.isArray(items)) throw new ServerError(wrongType(list, list, 'array', items));
      found.push(...items.filter(isObject));
      cursor = result?.['nextCursor'];
      if (cursor === undefined || cursor === null || cursor === '') break;
    }
    return found;
  }

  async #channel(type: unknown): Promise<Channel> {
    const { cwd, env, host } = this.#options;
    if (this.isOfHost) {
      if (host === undefined) throw new ServerError('this server needs a host program, such as the Agent SDK');
      const { HostChannel } = await import('./host-channel.js');
      return new HostChannel(host, this.name);
    }
    const { url, command, args, headers } = this.config;
    if (typeof url === 'string') {
      if (!URL.canParse(url))
        throw new ServerError("'url' is not a valid URL. Update the server's config and reconnect.");
      const { WebChannel, EventChannel } = await import('../../shared/mcp/web-channel.js');
      const given = { url, headers: isObject(headers) ? headers : {}, version: this.#options.version };
      return type === 'sse' ? new EventChannel(given) : new WebChannel(given);
    }
    if (typeof command !== 'string') throw new ServerError('the server has no command and no url');
    const { CLAUDE_PLUGIN_DATA: folder } = this.#variables;
    if (folder !== undefined) await mkdir(folder, { recursive: true }).catch(() => {});
    const { StdioChannel } = await import('../../shared/mcp/stdio-channel.js');
    return new StdioChannel({
      command,
      args: Array.isArray(args) ? args.map(String) : [],
      env: {
        ...env,
        ...this.#variables,
        ...(isObject(this.config['env']) ? (this.config['env'] as Record<string, string>) : {}),
      },
      cwd,
      onStderr: createServerLog(this.name, cwd, env),
    });
  }
}

function readTool({ name, annotations, inputSchema }: JsonObject, at: number): McpServer['tools'][number] {
  if (!isObject(inputSchema))
    throw new ServerError(wrongType('tools', `tools.${at}.inputSchema`, 'object', inputSchema));
  return { name: String(name), annotations: isObject(annotations) ? annotations : {} };
}

/** In the words of the library that the CLI uses. */
function wrongType(list: string, path: string, expected: string, value: unknown): string {
  return `Invalid result for ${list}/list: ${path}: Invalid input: expected ${expected}, received ${kindOf(value)}`;
}
