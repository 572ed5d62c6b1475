import { pathToFileURL } from 'node:url';
import { isObject, isStringList, type JsonObject } from '../../document/json.js';
import { Peer, ServerError } from '../shared/mcp/peer.js';
import { StdioChannel } from '../shared/mcp/stdio-channel.js';
import type { OfferedTool } from '../shared/offered-tools.js';
import type { LiveResult } from '../shared/tools/plain-tools.js';
import { Unsupported } from './refusal.js';

const TIMEOUT_MS = 30_000;

export interface McpTool extends OfferedTool {
  server: string;
  call(input: JsonObject): Promise<LiveResult>;
}

interface LocalServer {
  name: string;
  command: string[];
  environment: Record<string, string>;
  timeoutMs: number;
}

/** The MCP servers of the settings that are not switched off. */
export function readServers(mcp: unknown): LocalServer[] {
  return Object.entries(isObject(mcp) ? mcp : {}).flatMap(([name, server]) => {
    if (!isObject(server) || server['enabled'] === false) return [];
    const { type, command, environment, timeout } = server;
    if (type !== 'local') throw new Unsupported(`the MCP server \`${name}\`, which has an address`);
    if (!isStringList(command) || command.length === 0)
      throw new Unsupported(`the MCP server \`${name}\`, which has no command`);
    return [
      {
        ...{ name, command },
        environment: isObject(environment) ? (environment as Record<string, string>) : {},
        timeoutMs: typeof timeout === 'number' ? timeout : TIMEOUT_MS,
      },
    ];
  });
}

/** The MCP servers of a run. */
export class McpSession {
  readonly tools: McpTool[] = [];
  /** What the servers say of themselves, by name. */
  readonly instructions: [server: string, text: string][] = [];
  readonly #peers: Peer[] = [];

  /** Starts the servers, and asks each for its tools. One that does not work is left out. */
  async start(servers: readonly LocalServer[], place: { cwd: string; env: NodeJS.ProcessEnv; version: string }) {
    await Promise.all(servers.map((server) => this.#start(server, place)));
    this.tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close(true)));
  }

  async #start(
    { name, command: [program = '', ...args], environment, timeoutMs }: LocalServer,
    { cwd, env, version }: { cwd: string; env: NodeJS.ProcessEnv; version: string },
  ): Promise<void> {
    const own = { AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(process.pid) };
    const channel = new StdioChannel({
      ...{ command: program, args, cwd, env: { ...env, ...own, ...environment } },
      onStderr: () => {},
    });
    const roots = [{ uri: pathToFileURL(cwd).href }];
    const peer = new Peer(channel, { ping: () => ({}), 'roots/list': () => ({ roots }) });
    try {
      await peer.open();
      const hello = {
        protocolVersion: '2025-11-25',
        capabilities: { roots: {} },
        clientInfo: { name: 'opencode', version },
      };
      const { instructions } = await peer.request('initialize', hello, { timeoutMs });
      await peer.notify('notifications/initialized');
      const { tools } = await peer.request('tools/list', undefined, { timeoutMs });
      this.#peers.push(peer);
      if (typeof instructions === 'string' && instructions !== '') this.instructions.push([name, instructions]);
      let calls = 1;
      for (const tool of Array.isArray(tools) ? tools.filter(isObject) : [])
        this.tools.push({
          ...offered(name, tool),
          server: name,
          call: (input) => call(peer, String(tool['name']), input, ++calls),
        });
    } catch {
      await peer.close().catch(() => {});
    }
  }
}

function offered(server: string, { name, inputSchema }: JsonObject): OfferedTool {
  const { properties, required } = isObject(inputSchema) ? inputSchema : ({} as JsonObject);
  return {
    name: `${plain(server)}_${plain(String(name))}`,
    properties: isObject(properties) ? Object.keys(properties) : [],
    required: isStringList(required) ? required : [],
  };
}

function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}

/** `id` is the number of the request, which OpenCode takes back when it has been answered. */
async function call(peer: Peer, name: string, input: JsonObject, id: number): Promise<LiveResult> {
  try {
    const result = await peer.request('tools/call', { name, arguments: input }, { wantsProgress: true });
    const blocks = Array.isArray(result['content']) ? result['content'].filter(isObject) : [];
    const texts = blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
    return { text: texts.join('\n\n'), isError: result['isError'] === true };
  } catch (error) {
    const code = error instanceof ServerError && typeof error.code === 'number' ? `MCP error ${error.code}: ` : '';
    return { text: `${code}${(error as Error).message}`, isError: true };
  } finally {
    const reason = 'AbortError: The operation was aborted.';
    await peer.notify('notifications/cancelled', { requestId: id, reason }).catch(() => {});
  }
}
