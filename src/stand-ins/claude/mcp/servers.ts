import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { defined } from '../../../document/defined.js';
import { isObject, type JsonObject } from '../../../document/json.js';
import { ToolFailure, type ToolRun } from '../tools/live-tool.js';
import type { McpServerConfig } from './config.js';
import type { Host } from './host.js';
import { HostTransport } from './host-transport.js';

const DEFAULT_TIMEOUT_MS = 30_000;

interface Server extends McpServerConfig {
  status: 'connected' | 'failed';
  client?: Client;
  error?: string;
  info?: { name: string; version: string };
  tools: { name: string; annotations: JsonObject }[];
}

export interface McpConnectOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  version: string;
  host: Host | undefined;
  timeoutMs?: number;
}

/** The MCP servers of a session. A server that cannot be reached is listed as failed; the session continues. */
export class McpServers {
  readonly #servers: Server[];
  readonly #tools = new Map<string, { server: Server; tool: string }>();

  private constructor(servers: Server[]) {
    this.#servers = servers;
    for (const server of servers) {
      for (const { name } of server.tools) this.#tools.set(toolName(server.name, name), { server, tool: name });
    }
  }

  static async connect(configs: readonly McpServerConfig[], options: McpConnectOptions): Promise<McpServers> {
    return new McpServers(await Promise.all(configs.map((config) => connect(config, options))));
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
    return [...this.#tools.keys()];
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** The names of a tool for people. */
  displayNames(name: string): JsonObject {
    const found = this.#tools.get(name);
    const own = found?.tool ?? name.split('__').at(-1) ?? name;
    const display = own.charAt(0).toUpperCase() + own.slice(1).replaceAll('_', ' ');
    if (found === undefined) return { display_name: display };
    return { display_name: display, server_display_name: found.server.info?.name ?? found.server.name, tool_name: own };
  }

  async call(name: string, input: JsonObject, signal?: AbortSignal): Promise<ToolRun> {
    const found = this.#tools.get(name);
    if (found?.server.client === undefined) throw new ToolFailure(`No such tool available: ${name}`);
    let result: Awaited<ReturnType<Client['callTool']>>;
    try {
      result = await found.server.client.callTool({ name: found.tool, arguments: input }, defined({ signal }));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new ToolFailure(error instanceof Error ? error.message : String(error));
    }
    const content = Array.isArray(result.content) ? (result.content as unknown as JsonObject[]) : [];
    if (result.isError === true) throw new ToolFailure(content.map((block) => String(block['text'] ?? '')).join('\n'));
    return { content, useResult: content };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#servers.map(({ client }) => client?.close()));
  }
}

async function connect(config: McpServerConfig, options: McpConnectOptions): Promise<Server> {
  const client = new Client({ name: 'claude-code', version: options.version });
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  try {
    await client.connect(await transport(config, options), { timeout });
    const { tools } = await client.listTools(undefined, { timeout });
    const info = client.getServerVersion();
    return {
      ...config,
      status: 'connected',
      client,
      tools: tools.map(({ name, annotations }) => ({ name, annotations: (annotations ?? {}) as JsonObject })),
      ...(info === undefined ? {} : { info: { name: info.name, version: info.version } }),
    };
  } catch (error) {
    await client.close().catch(() => {});
    return { ...config, status: 'failed', tools: [], error: error instanceof Error ? error.message : String(error) };
  }
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
  return new StdioClientTransport({
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: { ...definedOnly(env), ...(isObject(config['env']) ? (config['env'] as Record<string, string>) : {}) },
    cwd,
    stderr: 'ignore',
  });
}

function transportOf({ type, url }: JsonObject): string {
  return typeof type === 'string' ? type : url === undefined ? 'stdio' : 'http';
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** `mcp__server__tool`; characters that a tool's name cannot have become underscores. */
function toolName(server: string, tool: string): string {
  const plain = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return `mcp__${plain(server)}__${plain(tool)}`;
}
