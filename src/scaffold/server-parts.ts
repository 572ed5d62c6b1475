import { type DeclaredPlugin, type DeclaredServer, isLocal, pluginServers } from '@understudy/stage';
import { type Part, ruleFor, type Skipped, triedPart } from './part.js';
import { type ServerTry, tryServer } from './try-server.js';

export interface ServerParts {
  parts: Part[];
  absentServers: { name: string; reason: string }[];
  skipped: Skipped[];
}

const MAX_TOOLS = 20;

/** Writes the parts of MCP servers. Servers of other machines are left out: a rehearsal needs no network. */
export async function serverParts(
  plugin: DeclaredPlugin,
  servers: readonly DeclaredServer[],
  { start, say, isolation }: { start: boolean; say: (what: string) => void; isolation?: string | undefined },
): Promise<ServerParts> {
  const configs = pluginServers(plugin.root);
  const found: ServerParts = { parts: [], absentServers: [], skipped: [] };
  for (const { name } of servers) {
    const config = configs.get(name);
    if (config === undefined || !isLocal(config)) {
      const reason = 'This server is on another machine. To test with it, give its tools answers: [mcp.NAME.tools].';
      found.absentServers.push({ name, reason });
      continue;
    }
    if (start) say(`server ${name}`);
    const tried: ServerTry = start
      ? await tryServer(name, config, { pluginRoot: plugin.root, isolation })
      : { tools: [] };
    if (tried.problem !== undefined) {
      const fix = 'The rehearsal fails until it comes up.';
      found.skipped.push({ name: `server ${name}`, reason: tried.problem, fix });
    }
    if (tried.outside !== undefined) found.skipped.push(triedPart(`server ${name}`, tried.outside));
    found.parts.push(serverPart(plugin.name, name, tried));
  }
  return found;
}

function serverPart(
  plugin: string,
  server: string,
  { tools, answered }: { tools: string[]; answered?: { tool: string; input: object } },
): Part {
  const full = (tool: string) => `mcp__${plain(`plugin_${plugin}_${server}`)}__${plain(tool)}`;
  const send = `Ask the server ${server}.`;
  const offered = tools.slice(0, MAX_TOOLS).map(full);
  const call = answered === undefined ? undefined : { tool: full(answered.tool), input: answered.input };
  return {
    name: `the server ${server} runs${offered.length === 0 ? '' : ', its tools are offered'}${call === undefined ? '' : ', and it answers'}`,
    comments:
      call === undefined && offered.length > 0
        ? ['No tool was found that can be called without effect. To test one, add tool_calls to the response.']
        : [],
    rules: [ruleFor(send, call === undefined ? 'Done.' : { tool_calls: [call], then: 'Done.' })],
    send,
    expect: {
      mcp_servers: [server],
      ...(call === undefined ? {} : { tools: { calls: [{ tool: call.tool, status: 'ok' }] } }),
      ...(offered.length === 0 ? {} : { told: { tools: offered } }),
    },
  };
}

/** Characters that the name of a tool cannot have become underscores. */
function plain(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}
