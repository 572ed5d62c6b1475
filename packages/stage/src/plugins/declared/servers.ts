import { join, relative } from 'node:path';
import {
  MANIFEST_FILE,
  missingVariables,
  type PluginDocument,
  readDocument,
  SERVERS_FILE,
  serverDocuments,
  serversOfDocument,
} from '@understudy/agents';
import { defined, isObject, scrubbedEnvironment } from '@understudy/kit';
import * as z from 'zod/mini';
import type { DeclaredServer } from './component.js';
import { documentIssue } from './json-file.js';
import type { Manifest } from './manifest.js';

const serverSchema = z.union([
  z.looseObject({ command: z.string(), args: z.optional(z.array(z.string())) }),
  z.looseObject({ type: z.enum(['http', 'sse', 'ws']), url: z.string() }),
]);

/** The MCP servers of .mcp.json, and those that the manifest adds. */
export function declaredServers(root: string, manifest: Manifest): DeclaredServer[] {
  const servers = serverDocuments(root, manifest).flatMap((document) => {
    const { file, value, problem } = document;
    if (file === undefined) return serversOf(value, MANIFEST_FILE);
    if (problem === 'missing' && file === join(root, SERVERS_FILE)) return [];
    // Bundles are archives that only the CLI can open.
    return file.endsWith('.json') ? serversIn(document, relative(root, file)) : [];
  });
  return [...new Map(servers.map((server) => [server.name, server])).values()];
}

/** The MCP servers of a project. They always stand in `mcpServers`. */
export function projectServers(root: string): DeclaredServer[] {
  const document = readDocument(join(root, SERVERS_FILE));
  const { value, problem } = document;
  if (problem === 'missing') return [];
  if (value === undefined || (isObject(value) && isObject(value['mcpServers'])))
    return serversIn(document, SERVERS_FILE);
  return serversOf(undefined, SERVERS_FILE);
}

function serversIn(document: PluginDocument, file: string): DeclaredServer[] {
  const issue = documentIssue(document, file);
  if (issue === undefined) return serversOf(document.value, file);
  const reason = `${issue.reason} (the CLI ignores it silently)`;
  return [{ kind: 'server', name: file, file, issue: { ...issue, reason } }];
}

function serversOf(value: unknown, file: string): DeclaredServer[] {
  const inner = serversOfDocument(value);
  if (inner === undefined) {
    const issue = { reason: `${file} has no servers`, fix: 'Write {"mcpServers": {"name": {"command": "…"}}}.' };
    return [{ kind: 'server', name: file, file, issue }];
  }
  return Object.entries(inner).map(([name, config]: [string, unknown]) => {
    const parsed = serverSchema.safeParse(config).data;
    const warning = unsetVariables(config);
    if (parsed !== undefined) return { kind: 'server', name, file, how: describe(parsed), ...defined({ warning }) };
    return {
      kind: 'server',
      name,
      file,
      issue: {
        reason: 'it has neither a "command" nor a "type" with a "url": the CLI drops it silently',
        fix: 'Write {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"]}.',
      },
    };
  });
}

/** What the CLI sets for every server of a plugin, and what every program has. */
const ALWAYS_SET = { CLAUDE_PLUGIN_ROOT: '', CLAUDE_PLUGIN_DATA: '', CLAUDE_PROJECT_DIR: '', HOME: '' };

function unsetVariables(config: unknown): string | undefined {
  const missing = missingVariables(config, scrubbedEnvironment(ALWAYS_SET));
  if (missing.length === 0) return undefined;
  return `it uses ${missing.join(', ')}, not set in a clean environment: the server gets the text as it is written`;
}

function describe(server: z.infer<typeof serverSchema>): string {
  if (typeof server['url'] === 'string') return server['url'];
  return [server['command'], ...(Array.isArray(server['args']) ? server['args'] : [])].join(' ');
}
