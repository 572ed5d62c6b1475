import { setTimeout as sleep } from 'node:timers/promises';
import { defined, type JsonObject } from '@understudy/kit';
import type { RequestOptions } from '../../shared/mcp/peer.js';
import { ToolFailure } from '../tools/live-tool.js';
import type { McpServerConfig } from './config.js';
import { type McpConnectOptions, McpServer } from './server.js';

/**
 * So long the first prompt waits for servers that no flag named. The prompt does not see tools of later ones. Who
 * compares sessions with recordings, on a machine that may be busy, gives it more time.
 */
const PATIENCE_MS = 2_000;
const PATIENCE_VARIABLE = 'UNDERSTUDY_MCP_PATIENCE_MS';

/** What a server answered to a call. */
export interface ServerAnswer {
  server: string;
  content: JsonObject[];
  structured?: unknown;
  meta?: unknown;
}

/**
 * The MCP servers of a session; they start in the background. A server that cannot be reached is listed as failed, one
 * that is not up yet as pending; the session continues.
 */
export class McpServers {
  #servers: McpServer[];
  readonly #options: McpConnectOptions;
  readonly #needed: Promise<void>;
  readonly #patienceMs: number;
  readonly #closing = new AbortController();

  constructor(configs: readonly McpServerConfig[], options: McpConnectOptions) {
    this.#options = options;
    this.#patienceMs = Number(options.env[PATIENCE_VARIABLE]) || PATIENCE_MS;
    this.#servers = configs.map((config) => this.#start(config));
    const named = this.#servers.filter(isNamedByHost).map(({ connecting }) => connecting);
    const patience = sleep(this.#patienceMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
    this.#needed = Promise.all([...named, Promise.race([this.settled(), patience])]).then(() => {});
  }

  get all(): readonly McpServer[] {
    return this.#servers;
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
    for (const server of [...removed, ...replaced]) await server.stop();
    const added = changed.map((config) => Object.assign(this.#start(config), { isSetByHost: true }));
    this.#servers = [
      ...this.#servers.filter((server) => !removed.includes(server) && !replaced.includes(server)),
      ...added,
    ];
    await this.settled();
    const failed = added.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error.message]]));
    return {
      added: added.map(({ name }) => name),
      removed: removed.map(({ name }) => name),
      errors: Object.fromEntries(failed),
    };
  }

  /** Turns a server off or on. */
  async toggle(name: string, enabled: boolean): Promise<void> {
    const server = this.#find(name);
    if (!enabled) {
      await server.stop();
      server.status = 'disabled';
    } else if (server.status !== 'connected') await restart(server);
  }

  async reconnect(name: string): Promise<void> {
    const server = this.#find(name);
    if (server.status === 'disabled')
      throw new Error(`MCP server ${name} is disabled — enable it (mcp_toggle) before reconnecting`);
    await server.stop();
    await restart(server);
    if (server.error !== undefined) throw new Error(server.error.message);
  }

  /** Resolves when a prompt need not wait any longer. */
  async ready(): Promise<void> {
    await this.#needed;
  }

  /** The servers for the first line of the stream. */
  summary(): JsonObject[] {
    return this.#servers.map(({ name, status, source }) => ({ name, status, source }));
  }

  /** The answer to `mcp_status`. */
  status(): JsonObject[] {
    return this.#servers.map(({ name, status, source, info, error, config, tools, isOfHost }) => ({
      name,
      status,
      ...defined({ serverInfo: info, error: error?.message }),
      ...(isOfHost ? {} : { config: { type: transportOf(config), ...config } }),
      transport: transportOf(config),
      scope: isOfHost ? 'dynamic' : source,
      source,
      ...(status === 'connected' ? { tools } : {}),
    }));
  }

  toolNames(): string[] {
    return [...this.#tools().keys()].sort();
  }

  has(tool: string): boolean {
    return this.#tools().has(tool);
  }

  /** Whether a server says of its tool that it changes nothing. */
  onlyLooks(name: string): boolean {
    const { server, tool } = this.#tools().get(name) ?? {};
    return server?.tools.find((one) => one.name === tool)?.annotations['readOnlyHint'] === true;
  }

  /** Whether a server keeps something that can be read. */
  get hasResources(): boolean {
    return this.#servers.some(({ hasResources, status }) => hasResources && status === 'connected');
  }

  /** Whether a typed command may be a prompt of a server. */
  mayHavePrompt(command: string): boolean {
    return this.#servers.some(({ name }) => command.startsWith(`mcp__${plain(name)}__`));
  }

  /** Where a tool comes from. */
  serverOf(tool: string): JsonObject | undefined {
    const { server } = this.#tools().get(tool) ?? {};
    return server && { name: server.name, source: server.source };
  }

  /** The names of a tool for people. Of one that the session lacks nothing is known but its name. */
  displayNames(name: string, isLacking: boolean): JsonObject {
    const found = isLacking ? undefined : this.#tools().get(name);
    const own = found?.tool ?? name.split('__').at(-1) ?? name;
    const display = own
      .split('_')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ');
    if (found === undefined) return { display_name: display };
    return { display_name: display, server_display_name: found.server.info?.name ?? found.server.name, tool_name: own };
  }

  /** Calls a tool for the agent. */
  async call(name: string, input: JsonObject, toolUseId: string, signal?: AbortSignal): Promise<ServerAnswer> {
    const found = this.#tools().get(name);
    if (found === undefined) throw new ToolFailure(`No such tool available: ${name}`);
    const { server, tool } = found;
    const meta = { 'claudecode/toolUseId': toolUseId };
    const options: RequestOptions = { wantsProgress: true, ...defined({ signal }) };
    const asked = server.request('tools/call', { name: tool, arguments: input, _meta: meta }, options);
    const result = await asTool(asked, signal);
    if (result['isError'] === true) throw new ToolFailure(errorIn(result));
    return answerOf(server, result);
  }

  async close(gently = false): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#servers.map((server) => server.stop(gently)));
  }

  /** Resolves when it is known of each server whether it can be reached. */
  async settled(): Promise<void> {
    await Promise.all(this.#servers.map(({ connecting }) => connecting));
  }

  /** The tools of all servers, by the names that the agent knows. */
  #tools(): Map<string, { server: McpServer; tool: string }> {
    return new Map(
      this.#servers.flatMap((server) =>
        server.tools.map(({ name }) => [`mcp__${plain(server.name)}__${plain(name)}`, { server, tool: name }] as const),
      ),
    );
  }

  #find(name: string): McpServer {
    const found = this.#servers.find((server) => server.name === name);
    if (found === undefined) throw new Error(`Server not found: ${name}`);
    return found;
  }

  #start(config: McpServerConfig): McpServer {
    const server = new McpServer(config, this.#options);
    server.start();
    return server;
  }
}

async function restart(server: McpServer): Promise<void> {
  server.start();
  await server.connecting;
}

/** What goes wrong with a server is a failure of the tool. */
export async function asTool<T>(asked: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new ToolFailure(error instanceof Error ? error.message : String(error));
  }
}

/** The CLI waits for servers that a flag or the host's program names, however long they take. */
function isNamedByHost({ source }: McpServer): boolean {
  return source === 'dynamic' || source === 'sdk';
}

function transportOf({ type, url }: JsonObject): string {
  return typeof type === 'string' ? type : url === undefined ? 'stdio' : 'http';
}

/** In the name of a tool, characters that it cannot have become underscores. */
function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

function blocksIn({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? (content as JsonObject[]) : [];
}

function answerOf({ name }: McpServer, result: JsonObject): ServerAnswer {
  const { structuredContent: structured, _meta: meta } = result;
  return { server: name, content: blocksIn(result), ...defined({ structured, meta }) };
}

/** What a server says has gone wrong. */
function errorIn(result: JsonObject): string {
  const texts = blocksIn(result).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
  return texts.length === 0 ? 'Unknown error' : texts.join('\n');
}
