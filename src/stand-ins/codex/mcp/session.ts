import { resolve } from 'node:path';
import { isObject, isStringList, type JsonObject } from '../../../document/json.js';
import { genericFor } from '../../../scenario/generic-tools.js';
import { Peer, ServerError } from '../../shared/mcp/peer.js';
import { StdioChannel } from '../../shared/mcp/stdio-channel.js';
import type { OfferedTool } from '../../shared/offered-tools.js';
import type { LiveResult } from '../../shared/tools/plain-tools.js';
import { Refusal, Unsupported } from '../refusal.js';
import type { CodexServer } from './servers.js';
import { HEAD, textOf } from './told.js';

/** What servers find in their environment besides what the settings give them. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'];
const STARTUP_SECONDS = 10;
const TOOL_SECONDS = 60;

export interface McpTool extends OfferedTool {
  server: string;
}

/** The MCP servers of a session, which run as long as it does. */
export class McpSession {
  readonly tools: McpTool[] = [];
  readonly #peers = new Map<string, { peer: Peer; server: CodexServer }>();
  #calls = 0;

  /** Starts servers, and asks each for its tools. One that does not work is left out, unless it is required. */
  async start(servers: readonly CodexServer[], place: { cwd: string; env: NodeJS.ProcessEnv; version: string }) {
    const unknown = servers.find(({ url }) => url !== undefined);
    if (unknown !== undefined) throw new Unsupported(`the MCP server '${unknown.name}', which has an address`);
    const listed = await Promise.all(servers.map((server) => this.#start(server, place)));
    this.tools.push(...listed.flatMap((tools) => tools.sort((a, b) => (a.name < b.name ? -1 : 1))));
    const same = this.tools.find(({ name }, at) => this.tools.findIndex((tool) => tool.name === name) !== at);
    if (same !== undefined) throw new Unsupported(`two MCP servers with a tool \`${same.name}\``);
    const generic = this.tools.find(({ name }) => genericFor(name) !== undefined);
    if (generic !== undefined)
      throw new Unsupported(`the tool \`${generic.name}\` of an MCP server, which is a generic name`);
  }

  async call(tool: McpTool, input: JsonObject, session: string): Promise<LiveResult> {
    const { peer, server } = this.#peers.get(tool.server) as { peer: Peer; server: CodexServer };
    const progressToken = ++this.#calls;
    const meta = { callId: `call_${progressToken}`, threadId: session, sessionId: session, progressToken };
    try {
      const params = { _meta: meta, name: tool.name, arguments: input };
      const result = await peer.request('tools/call', params, {
        timeoutMs: 1000 * (server.toolTimeout ?? TOOL_SECONDS),
      });
      const content = Array.isArray(result['content']) ? result['content'] : [];
      const structured = result['structuredContent'] ?? null;
      const isError = result['isError'] === true;
      const texts = structured === null ? content.map(textOf) : [JSON.stringify(structured)];
      return { text: `${HEAD}\n${texts.join('\n')}`, isError, mcp: { content, structured } };
    } catch (error) {
      const why = `tool call error: tool call failed for \`${tool.server}/${tool.name}\`\n\nCaused by:\n    ${reasonOf(error)}`;
      return { text: `${HEAD}\n${why}`, isError: true, mcp: { error: why } };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#peers.values()].map(({ peer }) => peer.close(true)));
  }

  async #start(
    server: CodexServer,
    { cwd, env, version }: { cwd: string; env: NodeJS.ProcessEnv; version: string },
  ): Promise<McpTool[]> {
    const channel = new StdioChannel({
      ...{ command: server.command ?? '', args: [...server.args], cwd: resolve(cwd, server.cwd ?? '.') },
      env: {
        ...Object.fromEntries(INHERITED.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
        ...server.env,
      },
      onStderr: () => {},
    });
    const peer = new Peer(channel, { ping: () => ({}) });
    const timeoutMs = 1000 * (server.startupTimeout ?? STARTUP_SECONDS);
    try {
      await peer.open();
      await peer.request('initialize', hello(version), { timeoutMs });
      await peer.notify('notifications/initialized');
      const { tools } = await peer.request('tools/list', { _meta: { progressToken: 0 } }, { timeoutMs });
      this.#peers.set(server.name, { peer, server });
      return (Array.isArray(tools) ? tools.filter(isObject) : [])
        .map((tool) => ({ ...readTool(tool), server: server.name, namespace: `mcp__${server.name}` }))
        .filter(({ name }) => server.enabledTools?.includes(name) ?? true)
        .filter(({ name }) => !server.disabledTools?.includes(name));
    } catch (error) {
      await peer.close().catch(() => {});
      if (!server.required) return [];
      throw notStarted(server.name, reasonOf(error));
    }
  }
}

function hello(version: string): JsonObject {
  return {
    protocolVersion: '2025-06-18',
    capabilities: { experimental: { 'codex/auth-change': {} }, elicitation: { form: {}, url: {} } },
    clientInfo: { name: 'codex-mcp-client', title: 'Codex', version },
  };
}

function readTool({ name, inputSchema }: JsonObject): OfferedTool {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const { properties, required } = schema;
  return {
    name: String(name),
    properties: isObject(properties) ? Object.keys(properties) : [],
    required: isStringList(required) ? required : [],
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ServerError)) return String(error);
  if (error.code === 'ENOENT') return 'No such file or directory (os error 2)';
  if (error.code === 'CONNECTION_CLOSED') return 'Transport closed';
  return typeof error.code === 'number' ? `Mcp error: ${error.code}: ${error.message}` : error.message;
}

function notStarted(name: string, reason: string): Refusal {
  const why = `required MCP servers failed to initialize: ${name}: ${reason}`;
  const time = new Date().toISOString().replace('Z', '000Z');
  const created = `thread/start failed: error creating thread: Fatal error: Failed to initialize session: ${why}`;
  return new Refusal(
    `${time} ERROR codex_core::session: Failed to create session: ${why}\nError: thread/start: ${created} (code -32603)`,
  );
}
