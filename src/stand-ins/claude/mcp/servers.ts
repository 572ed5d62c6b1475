import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import type { Host } from '../output/host.js';
import { ToolFailure } from '../tools/live-tool.js';
import type { McpServerConfig } from './config.js';
import { HostTransport } from './host-transport.js';
import { createServerLog } from './server-log.js';

const DEFAULT_TIMEOUT_MS = 30_000;

/** So long the first prompt waits for servers that no flag named. The prompt does not see tools of later ones. */
const PATIENCE_MS = 2_000;

interface Server extends McpServerConfig {
  status: 'pending' | 'connected' | 'failed' | 'disabled';
  client?: Client;
  error?: string;
  info?: { name: string; version: string };
  tools: { name: string; annotations: JsonObject }[];
  /** Resolves when it is known whether it can be reached. */
  connecting: Promise<void>;
  /** The host has given it while the session ran. */
  isSetByHost?: true;
}

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** What a server answered to a call. */
export interface ServerAnswer {
  server: string;
  content: JsonObject[];
  structured?: unknown;
  meta?: unknown;
}

export interface McpConnectOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  version: string;
  host: Host | undefined;
  timeoutMs?: number;
}

/**
 * The MCP servers of a session; they start in the background. A server that cannot be reached is listed as failed, one
 * that is not up yet as pending; the session continues.
 */
export class McpServers {
  #servers: Server[];
  readonly #options: McpConnectOptions;
  readonly #tools = new Map<string, { server: Server; tool: string }>();
  readonly #needed: Promise<void>;
  readonly #closing = new AbortController();

  constructor(configs: readonly McpServerConfig[], options: McpConnectOptions) {
    this.#options = options;
    this.#servers = configs.map((config) => this.#start(config));
    const named = this.#servers.filter(isNamedByHost).map(({ connecting }) => connecting);
    const patience = sleep(PATIENCE_MS, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
    this.#needed = Promise.all([...named, Promise.race([this.settled(), patience])]).then(() => {});
  }

  /** Takes the servers that the host gives in place of those that it gave before. */
  async set(given: readonly McpServerConfig[]): Promise<JsonObject> {
    const names = new Set(given.map(({ name }) => name));
    const removed = this.#servers.filter(({ name, isSetByHost }) => isSetByHost && !names.has(name));
    const changed = given.filter(({ name, config }) => {
      const known = this.#servers.find((server) => server.name === name);
      return !known?.isSetByHost || JSON.stringify(known.config) !== JSON.stringify(config);
    });
    const replaced = this.#servers.filter(({ name }) => changed.some((one) => one.name === name));
    for (const server of [...removed, ...replaced]) await this.#stop(server);
    const added = changed.map((config): Server => Object.assign(this.#start(config), { isSetByHost: true as const }));
    this.#servers = [
      ...this.#servers.filter((server) => !removed.includes(server) && !replaced.includes(server)),
      ...added,
    ];
    await this.settled();
    return {
      added: added.map(({ name }) => name),
      removed: removed.map(({ name }) => name),
      errors: Object.fromEntries(added.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]]))),
    };
  }

  /** Turns a server off or on. */
  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#find(name);
    if (!enabled) {
      await this.#stop(server);
      server.status = 'disabled';
    } else if (server.status !== 'connected') await this.#restart(server);
  }

  async reconnect(name: string): Promise<void> {
    const server = this.#find(name);
    if (server.status === 'disabled')
      throw new Error(`MCP server ${name} is disabled — enable it (mcp_toggle) before reconnecting`);
    await this.#stop(server);
    await this.#restart(server);
    if (server.error !== undefined) throw new Error(server.error);
  }

  /** Calls a tool for the host, whether the server lists it or not. */
  async callForHost(name: string, input: JsonObject): Promise<ServerAnswer> {
    const [, prefix = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
    if (tool === '') throw new Error(`Not a fully-qualified MCP tool name: ${name}`);
    const server = this.#servers.find((one) => plain(one.name) === prefix);
    if (server?.client === undefined || server.status !== 'connected') throw new Error(`Server not found: ${prefix}`);
    const result = await server.client.callTool({ name: tool, arguments: input });
    if (result.isError === true) throw new Error(errorIn(result));
    return answerOf(server, result);
  }

  /** Resolves when the first prompt need not wait any longer. */
  ready(): Promise<void> {
    return this.#needed;
  }

  /** The servers for the first line of the stream. */
  summary(): JsonObject[] {
    return this.#servers.map(({ name, status, source }) => ({ name, status, source }));
  }

  /** The answer to `mcp_status`. */
  status(): JsonObject[] {
    return this.#servers.map(({ name, status, source, info, error, config, tools }) => ({
      name,
      status,
      ...defined({ serverInfo: info, error }),
      config: { type: transportOf(config), ...config },
      transport: transportOf(config),
      scope: source,
      source,
      ...(status === 'connected' ? { tools } : {}),
    }));
  }

  toolNames(): string[] {
    return [...this.#tools.keys()].sort();
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Where a tool comes from. */
  serverOf(tool: string): JsonObject | undefined {
    const { server } = this.#tools.get(tool) ?? {};
    return server && { name: server.name, source: server.source };
  }

  /** The names of a tool for people. Of one that the session lacks nothing is known but its name. */
  displayNames(name: string, isLacking: boolean): JsonObject {
    const found = isLacking ? undefined : this.#tools.get(name);
    const own = found?.tool ?? name.split('__').at(-1) ?? name;
    const display = own
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ');
    if (found === undefined) return { display_name: display };
    return { display_name: display, server_display_name: found.server.info?.name ?? found.server.name, tool_name: own };
  }

  async call(name: string, input: JsonObject, signal?: AbortSignal): Promise<ServerAnswer> {
    const found = this.#tools.get(name);
    if (found?.server.client === undefined) throw new ToolFailure(`No such tool available: ${name}`);
    let result: ToolResult;
    try {
      result = await found.server.client.callTool({ name: found.tool, arguments: input }, defined({ signal }));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new ToolFailure(error instanceof Error ? error.message : String(error));
    }
    if (result.isError === true) throw new ToolFailure(errorIn(result));
    return answerOf(found.server, result);
  }

  /** Calls a tool for a hook, which waits for the server. Nothing where the server is not connected. */
  async callForHook(
    server: string,
    tool: string,
    input: JsonObject,
    signal: AbortSignal,
  ): Promise<{ text: string; problem?: string } | undefined> {
    const found = this.#servers.find(({ name }) => name === server);
    await found?.connecting;
    if (found?.client === undefined || found.status !== 'connected') return undefined;
    try {
      const result = await found.client.callTool({ name: tool, arguments: input }, { signal });
      const text = blocksIn(result)
        .map((block) => (block['type'] === 'text' ? String(block['text']) : `[${String(block['type'])}]`))
        .join('\n');
      return result.isError === true ? { text, problem: text } : { text };
    } catch (error) {
      if (signal.aborted) throw error;
      return { text: '', problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#servers.map(({ client }) => client?.close()));
    await this.settled();
  }

  /** Resolves when it is known of each server whether it can be reached. */
  async settled(): Promise<void> {
    await Promise.all(this.#servers.map(({ connecting }) => connecting));
  }

  #find(name: string): Server {
    const found = this.#servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`Server not found: ${name}`);
    return found;
  }

  #start(config: McpServerConfig): Server {
    const server: Server = { ...config, status: 'pending', tools: [], connecting: Promise.resolve() };
    server.connecting = this.#connect(server);
    return server;
  }

  async #restart(server: Server): Promise<void> {
    server.status = 'pending';
    server.connecting = this.#connect(server);
    await server.connecting;
  }

  /** Ends a server: nothing of it is left but its name. */
  async #stop(server: Server): Promise<void> {
    await server.client?.close().catch(() => {});
    await server.connecting;
    for (const [tool, of] of this.#tools) if (of.server === server) this.#tools.delete(tool);
    for (const field of ['client', 'error', 'info'] as const) delete server[field];
    server.tools = [];
  }

  async #connect(server: Server): Promise<void> {
    const client = new Client({ name: 'claude-code', version: this.#options.version });
    server.client = client;
    const timeout = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    try {
      await client.connect(await transport(server, this.#options), { timeout });
      const { tools } = await client.listTools(undefined, { timeout });
      const info = client.getServerVersion();
      server.tools = tools.map(({ name, annotations }) => ({ name, annotations: (annotations ?? {}) as JsonObject }));
      if (info !== undefined) server.info = { name: info.name, version: info.version };
      for (const { name } of tools) this.#tools.set(toolName(server.name, name), { server, tool: name });
      server.status = 'connected';
    } catch (error) {
      await client.close().catch(() => {});
      server.status = 'failed';
      server.error = error instanceof Error ? error.message : String(error);
    }
  }
}

/** The CLI waits for servers that a flag or the host's program names, however long they take. */
function isNamedByHost({ source }: McpServerConfig): boolean {
  return source === 'dynamic' || source === 'sdk';
}

async function transport(
  { name, source, config }: McpServerConfig,
  { cwd, env, host }: McpConnectOptions,
): Promise<Transport> {
  if (source === 'sdk' || config['type'] === 'sdk') {
    if (host === undefined) throw new Error('this server needs a host program, such as the Agent SDK');
    return new HostTransport(host, name);
  }
  const { url, command, args, headers } = config;
  if (typeof url === 'string') {
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: isObject(headers) ? (headers as Record<string, string>) : {} },
    });
  }
  if (typeof command !== 'string') throw new Error('the server has no command and no url');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const stdio = new StdioClientTransport({
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: { ...definedOnly(env), ...(isObject(config['env']) ? (config['env'] as Record<string, string>) : {}) },
    cwd,
    stderr: 'pipe',
  });
  const log = createServerLog(name, cwd, env);
  stdio.stderr?.on('data', (chunk: Buffer) => log(chunk.toString('utf8')));
  return stdio;
}

function transportOf({ type, url }: JsonObject): string {
  return typeof type === 'string' ? type : url === undefined ? 'stdio' : 'http';
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** `mcp__server__tool`; characters that a tool's name cannot have become underscores. */
function toolName(server: string, tool: string): string {
  return `mcp__${plain(server)}__${plain(tool)}`;
}

function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function blocksIn({ content }: ToolResult): JsonObject[] {
  return Array.isArray(content) ? (content as unknown as JsonObject[]) : [];
}

function answerOf({ name }: Server, result: ToolResult): ServerAnswer {
  const { structuredContent: structured, _meta: meta } = result;
  return { server: name, content: blocksIn(result), ...defined({ structured, meta }) };
}

/** What a server says has gone wrong. */
function errorIn(result: ToolResult): string {
  const texts = blocksIn(result).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
  return texts.length === 0 ? 'Unknown error' : texts.join('\n');
}
