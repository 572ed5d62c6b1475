import { isObject, textOrEmpty } from '../../../document/json.js';
import type { Peer } from '../../shared/mcp/peer.js';
import { ServerError } from '../../shared/mcp/peer.js';
import type { LiveResult, LiveTool } from '../../shared/tools/plain-tools.js';
import { serverMessage } from './server-message.js';

/** What a server keeps for the model to read. */
export interface McpResource {
  server: string;
  uri: string;
  name: string;
  description: string;
  peer: Peer;
}

/** The two tools that there are where a server has resources. */
export function resourceTools(resources: readonly McpResource[]): Record<string, LiveTool> {
  return {
    list_mcp_resources: async ({ serverName }) => listed(resources, textOrEmpty(serverName)),
    read_mcp_resource: async ({ uri }) => await read(resources, textOrEmpty(uri)),
  };
}

function listed(all: readonly McpResource[], server: string): LiveResult {
  const resources = server === '' ? all : all.filter((resource) => resource.server === server);
  if (resources.length === 0) {
    const text = `No resources found for server: ${server}`;
    return { text, isError: false, shown: text };
  }
  const lines = resources.map(({ server: of, uri, name, description }) =>
    [`- ${of}:${uri}`, name, description].filter((part) => part !== '').join(' | '),
  );
  const text = `Available MCP Resources:\n${lines.map((line) => `${line}\n`).join('')}`;
  return { text, isError: false, shown: `Listed ${resources.length} resources.` };
}

async function read(resources: readonly McpResource[], uri: string): Promise<LiveResult> {
  const found =
    resources.find((resource) => `${resource.server}:${resource.uri}` === uri) ??
    resources.find((resource) => resource.uri === uri);
  if (found === undefined) return failed('mcp_resource_not_found', `Resource not found for URI: ${uri}`);
  try {
    const { contents } = await found.peer.request('resources/read', { uri: found.uri });
    const text = (Array.isArray(contents) ? contents.filter(isObject) : [])
      .map((content) => {
        if (content['text']) return `${textOrEmpty(content['text'])}\n`;
        return content['blob'] ? `[Binary Data (${textOrEmpty(content['mimeType'])})]\n` : '';
      })
      .join('');
    const shown = `Successfully read resource "${found.name}" from server "${found.server}"`;
    return { text: text || 'No content returned from resource.', isError: false, shown };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    return failed('mcp_tool_error', `Failed to read resource: ${serverMessage(error)}`);
  }
}

function failed(errorType: string, why: string): LiveResult {
  return { text: why, isError: true, shown: `Error: ${why}`, errorType };
}
