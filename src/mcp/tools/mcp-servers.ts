import { defined } from '@understudy/kit';
import type { ServerConfig } from '@understudy/stage';
import * as z from 'zod';
import { additive, defineTool, destructive, readOnly, type Tool } from '../tool.js';
import { isolation, tried, triedText } from './isolation.js';
import { status } from './success.js';
import { writtenServerConfig } from './written-server-config.js';

const serverId = z.string().describe('from start_mcp_server');

const startMcpServer = defineTool({
  name: 'start_mcp_server',
  title: 'Start an MCP server under test',
  description:
    'Starts the real server of a .mcp.json entry in a clean environment. ${CLAUDE_PLUGIN_ROOT} stands for plugin_root.',
  annotations: { ...additive, openWorldHint: true },
  input: z.strictObject({
    server_name: z.string().min(1),
    server_config: writtenServerConfig.describe('the entry: {"command", "args", "env"} or {"type": "http", "url"}'),
    plugin_root: z.string().optional().describe('the folder of its plugin'),
    isolation,
  }),
  output: z.object({
    status,
    server_id: z.string(),
    server_name: z.string(),
    port: z.number().optional().describe('of a server that is reached over HTTP'),
    pid: z.number().optional(),
    server_version: z.string().optional(),
    instructions: z.string().optional(),
    isolation: z.string().optional().describe('how far it is kept apart from this machine'),
  }),
  async run({ server_name, server_config, plugin_root, isolation: level }, context) {
    const harness = await context.harness();
    const { pluginFolder } = await import('@understudy/agents');
    const root = plugin_root === undefined ? undefined : pluginFolder(plugin_root);
    const {
      id,
      client,
      transport,
      isolation: around,
    } = await harness.servers.start({
      name: server_name,
      config: server_config,
      cwd: root ?? harness.scratchFolder('server'),
      ...defined({ pluginRoot: root, isolation: level }),
    });
    const info = client.getServerVersion();
    const instructions = client.getInstructions();
    return {
      status: 'success' as const,
      server_id: id,
      server_name,
      ...portOf(server_config),
      ...('pid' in transport && transport.pid !== undefined ? { pid: transport.pid } : {}),
      ...(info === undefined ? {} : { server_version: `${info.name} ${info.version}` }),
      ...defined({ instructions, isolation: around?.level }),
    };
  },
  text: ({ server_id, server_name, server_version }) =>
    `${server_id}: ${server_name} is up (${server_version ?? 'unnamed'})`,
});

const stopMcpServer = defineTool({
  name: 'stop_mcp_server',
  title: 'Stop an MCP server under test',
  description: 'Stops a server, and everything that it started.',
  annotations: destructive,
  input: z.strictObject({ server_id: serverId }),
  output: z.object({
    status: z.literal(true),
    server_id: z.string(),
    server_name: z.string(),
    stopped: z.boolean(),
    cleaned: z.boolean().describe('nothing that it started is left'),
    tried,
  }),
  async run({ server_id }, context) {
    const { name, transport, ...server } = await (await context.harness()).servers.stop(server_id);
    const stopped = 'hasEnded' in transport ? transport.hasEnded : true;
    return {
      status: true as const,
      server_id,
      server_name: name,
      stopped,
      cleaned: stopped,
      tried: [...server.tried()],
    };
  },
  text: ({ server_name, tried: outside }) => [`${server_name} is stopped`, ...outside.map(triedText)].join('\n'),
});

const verifyMcpCommunication = defineTool({
  name: 'verify_mcp_communication',
  title: 'Verify that an MCP server answers',
  description: 'Pings the server, measures the time, and lists its tools.',
  annotations: readOnly,
  input: z.strictObject({ server_id: serverId }),
  output: z.object({
    status: z.enum(['success', 'error']),
    server_id: z.string(),
    responding: z.boolean(),
    latency_ms: z.number().optional(),
    tools_available: z.number(),
    tools: z.array(z.object({ name: z.string(), description: z.string().optional() })),
    problem: z.string().optional(),
    tried,
  }),
  async run({ server_id }, context) {
    const { servers } = await context.harness();
    const { responding, latencyMs, tools, problem } = await servers.verify(server_id);
    return {
      status: responding ? ('success' as const) : ('error' as const),
      server_id,
      responding,
      ...(latencyMs === undefined ? {} : { latency_ms: Math.round(latencyMs * 1000) / 1000 }),
      tools_available: tools.length,
      tools,
      ...defined({ problem }),
      tried: [...servers.find(server_id).tried()],
    };
  },
  text: ({ responding, latency_ms, tools, problem, tried: outside }) =>
    [
      responding
        ? `It answers in ${latency_ms} ms and offers ${tools.map(({ name }) => name).join(', ') || 'no tool'}`
        : `It does not answer: ${problem}`,
      ...outside.map(triedText),
    ].join('\n'),
});

const mockMcpToolResponse = defineTool({
  name: 'mock_mcp_tool_response',
  title: 'Mock a tool of an MCP server',
  description:
    'Makes a tool of an MCP server answer what you say, in conversations that start from now on; its other tools answer as always. With server_name the tool is offered even if the server has none of that name; with replace the real server is not started.',
  annotations: { ...additive, idempotentHint: true },
  input: z.strictObject({
    tool_name: z.string().min(1).describe('"screenshot"'),
    mock_response: z.record(z.string(), z.unknown()).describe('a tool result ({"content": [...]}), or any object'),
    server_name: z.string().optional().describe('absent: every server with such a tool'),
    replace: z.boolean().default(false).describe('needs server_name'),
  }),
  output: z.object({
    status,
    mock_registered: z.boolean(),
    tool_name: z.string(),
    server_name: z.string().optional(),
    mocks: z.number().describe('how many there are now'),
    applies_to: z.string(),
  }),
  async run({ tool_name, mock_response, server_name, replace }, context) {
    const harness = await context.harness();
    const { registerMock } = await import('../harness/mcp-servers/register-mock.js');
    const already = registerMock(harness, {
      tool: tool_name,
      response: mock_response,
      replace,
      ...defined({ server: server_name }),
    });
    return {
      status: 'success' as const,
      mock_registered: true,
      tool_name,
      ...defined({ server_name }),
      mocks: harness.mocks.all.length,
      applies_to: already
        ? 'conversations that see this server through a proxy already, and those that start from now on'
        : 'conversations that start from now on',
    };
  },
  text: ({ tool_name, applies_to }) => `${tool_name} is mocked for ${applies_to}`,
});

function portOf(config: ServerConfig): { port?: number } {
  if (!('url' in config)) return {};
  const { port, protocol } = new URL(config.url);
  return { port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** MCP servers that a plugin brings. */
export const mcpServerTools: readonly Tool[] = [
  startMcpServer,
  stopMcpServer,
  verifyMcpCommunication,
  mockMcpToolResponse,
];
