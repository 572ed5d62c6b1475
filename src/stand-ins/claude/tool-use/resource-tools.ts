import { isObject, type JsonObject } from '../../../document/json.js';
import type { Session } from '../session/session.js';
import { type LiveTool, ToolFailure, text } from '../tools/live-tool.js';
import { readPart } from './server-result.js';

const NONE = 'No resources found. MCP servers may still provide tools even if they have no resources.';
const NOT_FOUND = -32002;

/** A tool with which an agent reads what MCP servers keep. */
export function resourceTool(session: Session, name: string): LiveTool | undefined {
  if (name === 'ListMcpResourcesTool') return listTool(session);
  return name === 'ReadMcpResourceTool' ? readTool(session) : undefined;
}

function listTool(session: Session): LiveTool {
  return {
    parameters: { server: { type: 'string' } },
    run: async (input) => {
      const asked = text(input, 'server');
      const servers = asked === '' ? serversOf(session) : [find(session, asked)];
      const found = servers.flatMap(({ name, resources }) => resources.map((one) => listed(one, name)));
      return { content: found.length === 0 ? NONE : JSON.stringify(found), useResult: found };
    },
  };
}

function readTool(session: Session): LiveTool {
  return {
    parameters: { server: { type: 'string', required: true }, uri: { type: 'string', required: true } },
    run: async (input, { signal }) => {
      const server = find(session, text(input, 'server'));
      const uri = text(input, 'uri');
      try {
        const { contents } = await server.request('resources/read', { uri }, { signal });
        const parts = (Array.isArray(contents) ? contents : []).filter(isObject);
        const useResult = { contents: parts.map((part, at) => readPart(session, server.name, part, at)) };
        return { content: JSON.stringify(useResult), useResult };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const { code, message } = error as { code?: unknown; message: string };
        if (code !== NOT_FOUND) throw new ToolFailure(message);
        const words = `Resource not found: ${uri} — it may have been deleted or the URI is stale. Re-run ListMcpResourcesTool to refresh.`;
        return { content: words, useResult: { contents: [], error: words } };
      }
    },
  };
}

/** The order of the fields is that of the CLI. */
function listed({ name, uri, ...rest }: JsonObject, server: string): JsonObject {
  return { name, uri, ...rest, server };
}

function serversOf({ mcp }: Session) {
  return mcp?.all.filter(({ status }) => status === 'connected') ?? [];
}

function find(session: Session, name: string) {
  const servers = serversOf(session);
  const found = servers.find((server) => server.name === name);
  if (found !== undefined) return found;
  throw new ToolFailure(
    `Server "${name}" not found. Available servers: ${servers.map((server) => server.name).join(', ')}`,
  );
}
