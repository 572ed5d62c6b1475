import { realpathSync } from 'node:fs';
import { createScratch, type JsonObject } from '@understudy/kit';
import type { LocalServer } from '@understudy/stage';
import { type StartedServer, StartedServers } from '../mcp/harness/mcp-servers/started-servers.js';
import { sampleInput } from './sample-input.js';

/** What a server offers, and a call that it answered. */
export interface ServerTry {
  tools: string[];
  answered?: { tool: string; input: JsonObject };
  /** Why it could not be asked. */
  problem?: string;
  /** What it tried outside of its sandbox. */
  outside?: readonly string[];
}

interface OfferedTool {
  name: string;
  inputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
}

const CALL_MS = 10_000;
const MAX_CALLS = 3;

/** Names of tools that may change something elsewhere. They are not called to find out what they answer. */
const CHANGES =
  /add|clear|close|create|delete|deploy|drop|exec|insert|kill|move|post|publish|push|remove|reply|run|send|set|stop|update|upload|write/i;

/** Starts a server once, asks for its tools, and looks for a call that it answers. */
export async function tryServer(
  name: string,
  config: LocalServer,
  options: { pluginRoot: string; isolation: string | undefined },
): Promise<ServerTry> {
  const scratch = createScratch('init');
  const servers = new StartedServers(1);
  try {
    const cwd = realpathSync(scratch.path);
    const server = await servers.start({ name, config, cwd, ...options });
    const found = await askServer(server.client);
    await servers.stop(server.id);
    const outside = server.tried();
    return outside.length === 0 ? found : { ...found, outside };
  } catch (error) {
    return { tools: [], problem: (error as Error).message.split('\n')[0] ?? 'it did not come up' };
  } finally {
    await servers.stopAll();
    await scratch.remove();
  }
}

async function askServer(client: StartedServer['client']): Promise<ServerTry> {
  const offersTools = client.getServerCapabilities()?.tools !== undefined;
  const { tools } = offersTools ? await client.listTools(undefined, { timeout: CALL_MS }) : { tools: [] };
  const found: ServerTry = { tools: tools.map((tool) => tool.name) };
  for (const tool of callable(tools).slice(0, MAX_CALLS)) {
    const input = sampleInput(tool.inputSchema);
    const call = client.callTool({ name: tool.name, arguments: input }, { timeout: CALL_MS });
    const isOk = await call.then(({ isError }) => isError !== true).catch(() => false);
    if (isOk) return { ...found, answered: { tool: tool.name, input } };
  }
  return found;
}

/** The tools that may be called, the ones without required arguments first. */
function callable(tools: readonly OfferedTool[]): OfferedTool[] {
  const harmless = tools.filter(
    ({ name, annotations }) =>
      annotations?.readOnlyHint === true || (annotations?.destructiveHint !== true && !CHANGES.test(name)),
  );
  const required = ({ inputSchema }: OfferedTool) => Object.keys(sampleInput(inputSchema)).length;
  return harmless.sort((one, other) => required(one) - required(other));
}
