import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { MANIFEST_FILE, missingVariables, SERVERS_FILE, serverSources, serversOfDocument } from '@understudy/agents';
import { defined, isObject, scrubbedEnvironment } from '@understudy/kit';
import * as z from 'zod/mini';
import type { DeclaredServer } from './component.js';
import { readJson } from './json-file.js';
import type { Manifest } from './manifest.js';

const serverSchema = z.union([
  z.looseObject({ command: z.string(), args: z.optional(z.array(z.string())) }),
  z.looseObject({ type: z.enum(['http', 'sse', 'ws']), url: z.string() }),
]);

/** The MCP servers of .mcp.json, and those that the manifest adds. */
export function declaredServers(root: string, manifest: Manifest): DeclaredServer[] {
  const servers = serverSources(root, manifest).flatMap((source) => {
    if ('value' in source) return serversOf(source.value, MANIFEST_FILE);
    const isUsual = source.file === join(root, SERVERS_FILE);
    if (isUsual && !existsSync(source.file)) return [];
    // Bundles are archives that only the CLI can open.
    return source.file.endsWith('.json') ? serversOfFile(root, source.file) : [];
  });
  return [...new Map(servers.map((server) => [server.name, server])).values()];
}

/** The MCP servers of a project. They always stand in `mcpServers`. */
export function projectServers(root: string): DeclaredServer[] {
  const path = join(root, SERVERS_FILE);
  if (!existsSync(path)) return [];
  const { value } = readJson(path, SERVERS_FILE);
  if (value === undefined || (isObject(value) && isObject(value['mcpServers']))) return serversOfFile(root, path);
  return serversOf(undefined, SERVERS_FILE);
}

function serversOfFile(root: string, path: string): DeclaredServer[] {
  const file = relative(root, path);
  const { value, issue } = readJson(path, file);
  if (issue !== undefined) {
    const reason = `${issue.reason} (the CLI ignores it silently)`;
    return [{ kind: 'server', name: file, file, issue: { ...issue, reason } }];
  }
  return serversOf(value, file);
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
