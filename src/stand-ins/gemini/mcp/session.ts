import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defined } from '../../../document/defined.js';
import { isObject, isStringList, type JsonObject, textOrEmpty } from '../../../document/json.js';
import { Peer, ServerError } from '../../shared/mcp/peer.js';
import { StdioChannel } from '../../shared/mcp/stdio-channel.js';
import type { OfferedTool } from '../../shared/offered-tools.js';
import type { LiveResult, LiveTool } from '../../shared/tools/plain-tools.js';
import { NotSupported } from '../options.js';
import { checkInput, checkOutput } from './check-values.js';
import { failureOf, resultOf } from './content.js';
import { serverEnvironment } from './environment.js';
import { type McpResource, resourceTools } from './resources.js';
import { serverMessage } from './server-message.js';
import { type GeminiServer, readServers, type ServerNames } from './servers.js';

/** How long a server may take for an answer. */
const TIMEOUT_MS = 600_000;

/** The version of the CLI, which servers are told. */
const CLIENT = { name: 'gemini-cli-mcp-client', version: '0.61.0' };

/** Names of tools are not longer in the real CLI. */
const LONGEST_NAME = 63;

export interface McpTool extends OfferedTool {
  server: string;
  /** Its name on the server. */
  own: string;
  /** What is wrong with the arguments of a call. */
  problemOf(input: JsonObject): LiveResult | undefined;
  call(input: JsonObject): Promise<LiveResult>;
}

interface Place {
  /** Without symbolic links; the first one is where the CLI was started. */
  folders: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Tells the user something on stderr. */
  warn(line: string): void;
}

/** Starts the servers of the settings that may be started. */
export async function startMcpServers(
  servers: Readonly<Record<string, unknown>>,
  names: ServerNames,
  place: Place,
): Promise<McpSession> {
  const session = new McpSession(place);
  try {
    await session.start(readServers(servers, names));
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}

/** The MCP servers of a run. */
export class McpSession {
  readonly tools: McpTool[] = [];
  readonly resources: McpResource[] = [];
  /** The names of prompts that servers have, which are commands. */
  readonly prompts: string[] = [];
  readonly #peers: Peer[] = [];
  readonly #place: Place;
  #servers: readonly GeminiServer[] = [];
  #isWarned = false;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Starts servers, and asks each for what it has. One that does not work is left out. */
  async start(servers: readonly GeminiServer[]): Promise<void> {
    this.#servers = servers;
    const lists = await Promise.all(servers.map((server) => this.#start(server)));
    this.tools.push(...lists.flat().sort((a, b) => a.server.localeCompare(b.server)));
  }

  /** What hooks are told of the server of a tool. */
  contextOf(name: string): JsonObject | undefined {
    const tool = this.tools.find((one) => one.name === name);
    const server = this.#servers.find((one) => one.name === tool?.server);
    if (tool === undefined || server === undefined) return undefined;
    const { command, givenArgs: args, cwd } = server;
    return { server_name: server.name, tool_name: tool.own, ...defined({ command, args, cwd }) };
  }

  resourceTools(): Record<string, LiveTool> {
    return this.resources.length === 0 ? {} : resourceTools(this.resources);
  }

  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close(true)));
  }

  async #start(server: GeminiServer): Promise<McpTool[]> {
    const { folders, env, warn } = this.#place;
    const [root = '/'] = folders;
    const onBlocked = (name: string): void =>
      warn(`Blocked dangerous environment variable override for MCP server '${server.name}': ${name}`);
    const channel = new StdioChannel({
      ...{ command: server.command, args: [...server.args], cwd: resolve(root, server.cwd ?? '.') },
      env: serverEnvironment(env, server.env, onBlocked),
      onStderr: () => {},
    });
    const roots = folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) }));
    const peer = new Peer(channel, { ping: () => ({}), 'roots/list': () => ({ roots }) });
    this.#peers.push(peer);
    try {
      await peer.open();
      return await this.#discover(peer, server);
    } catch (error) {
      if (error instanceof NotSupported) throw error;
      if (!this.#isWarned) warn('MCP issues detected. Run /mcp list for status.');
      this.#isWarned = true;
      await peer.close().catch(() => {});
      return [];
    }
  }

  async #discover(peer: Peer, server: GeminiServer): Promise<McpTool[]> {
    const timeoutMs = server.timeoutMs ?? TIMEOUT_MS;
    const ask = (method: string, params: JsonObject = {}) => peer.request(method, params, { timeoutMs });
    const hello = { protocolVersion: '2025-06-18', capabilities: { roots: { listChanged: true } }, clientInfo: CLIENT };
    const { capabilities } = await ask('initialize', hello);
    await peer.notify('notifications/initialized');
    const has = isObject(capabilities) ? capabilities : {};
    const listOf = async (what: string): Promise<JsonObject[]> => {
      if (has[what] === undefined || has[what] === null) return [];
      try {
        const found = (await ask(`${what}/list`))[what];
        return Array.isArray(found) ? found.filter(isObject) : [];
      } catch (error) {
        if (error instanceof ServerError && error.code === METHOD_NOT_FOUND) return [];
        throw error;
      }
    };
    const prompts = await listOf('prompts');
    const tools = await listOf('tools');
    const resources = await listOf('resources');
    if (prompts.length + tools.length + resources.length === 0)
      throw new ServerError('No prompts, tools, or resources found on the server.');
    this.prompts.push(...prompts.map(({ name }) => textOrEmpty(name).trim().replace(/\s+/g, '-')));
    for (const { uri, name, description } of resources)
      this.resources.push({
        ...{ server: server.name, uri: textOrEmpty(uri), name: textOrEmpty(name), peer },
        description: textOrEmpty(description),
      });
    return tools
      .filter((tool) => isIncluded(textOrEmpty(tool['name']), server))
      .map((tool) => offer(peer, server, tool));
  }
}

const METHOD_NOT_FOUND = -32601;

function isIncluded(name: string, { includeTools, excludeTools }: GeminiServer): boolean {
  if (name === '' || excludeTools.includes(name)) return false;
  return includeTools?.some((tool) => tool === name || tool.startsWith(`${name}(`)) ?? true;
}

function offer(peer: Peer, server: GeminiServer, tool: JsonObject): McpTool {
  const own = textOrEmpty(tool['name']);
  const schema = isObject(tool['inputSchema']) ? tool['inputSchema'] : { type: 'object', properties: {} };
  const { properties, required } = schema as JsonObject;
  const problemOf = (input: JsonObject): LiveResult | undefined => {
    const wrong = checkInput(own, schema, input);
    if (wrong === undefined) return undefined;
    return { text: wrong, isError: true, shown: wrong, errorType: 'invalid_tool_params' };
  };
  return {
    ...{ name: toolName(`${server.name}_${own}`), server: server.name, own },
    properties: isObject(properties) ? Object.keys(properties) : [],
    required: isStringList(required) ? required : [],
    problemOf,
    call: async (input) => problemOf(input) ?? (await callTool(peer, tool, input, server.timeoutMs ?? TIMEOUT_MS)),
  };
}

/** How the real CLI calls a tool of a server. */
function toolName(given: string): string {
  const name = (given.startsWith('mcp_') ? given : `mcp_${given}`).replace(/[^\w\-.:]/g, '_');
  if (name.length > LONGEST_NAME) throw new NotSupported(`the MCP tool ${name}, whose name is so long`);
  return name;
}

async function callTool(peer: Peer, tool: JsonObject, input: JsonObject, timeoutMs: number): Promise<LiveResult> {
  const name = textOrEmpty(tool['name']);
  const broken = (message: string): LiveResult => failureOf(name, input, { error: { message, isError: true } });
  if (peer.isClosed) return broken('Not connected');
  try {
    const answer = await peer.request('tools/call', { name, arguments: input }, { timeoutMs, wantsProgress: true });
    const result = inOrder(answer);
    const wrong = checkOutput(name, tool['outputSchema'], result);
    if (wrong !== undefined) return broken(wrong);
    const isError = result['isError'] === true || result['isError'] === 'true';
    return isError ? failureOf(name, input, result) : resultOf(name, result['content'] as unknown[]);
  } catch (error) {
    if (error instanceof ServerError) return broken(serverMessage(error));
    throw error;
  }
}

/** An answer as the real CLI has read it. */
function inOrder({ _meta, content, structuredContent, isError, ...rest }: JsonObject): JsonObject {
  const blocks = (Array.isArray(content) ? content : []).map((block: unknown) => {
    if (!isObject(block)) return block;
    const { type, text, data, mimeType, ...more } = block;
    return { ...defined({ type, text, data, mimeType }), ...more };
  });
  return { ...defined({ _meta, content: blocks, structuredContent, isError }), ...rest };
}
