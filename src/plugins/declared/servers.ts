import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import type { DeclaredServer } from './component.js';
import { readJson } from './json-file.js';
import { type Manifest, pathList } from './manifest.js';

const serverSchema = z.union([
  z.looseObject({ command: z.string(), args: z.array(z.string()).optional() }),
  z.looseObject({ type: z.enum(['http', 'sse', 'ws']), url: z.string() }),
]);

/** The MCP servers of .mcp.json, and those that the manifest adds. */
export function declaredServers(root: string, manifest: Manifest): DeclaredServer[] {
  const { mcpServers } = manifest;
  const files = existsSync(join(root, '.mcp.json')) ? ['.mcp.json'] : [];
  if (typeof mcpServers === 'string' || Array.isArray(mcpServers)) files.push(...pathList(mcpServers));
  // Bundles are archives, and only the CLI can open them.
  const readable = [...new Set(files)].filter((file) => file.endsWith('.json'));
  const servers = readable.flatMap((file) => serversOfFile(root, join(root, file)));
  if (typeof mcpServers === 'object' && !Array.isArray(mcpServers)) {
    servers.push(...serversOf(mcpServers, '.claude-plugin/plugin.json'));
  }
  return [...new Map(servers.map((server) => [server.name, server])).values()];
}

function serversOfFile(root: string, path: string): DeclaredServer[] {
  const file = relative(root, path);
  const { value, trouble } = readJson(path, file);
  if (trouble !== undefined) {
    const reason = `${trouble.reason} (the CLI passes over it without a word)`;
    return [{ kind: 'server', name: file, file, trouble: { ...trouble, reason } }];
  }
  return serversOf(value, file);
}

function serversOf(value: unknown, file: string): DeclaredServer[] {
  const inner = (value as { mcpServers?: unknown } | null)?.mcpServers ?? value;
  if (typeof inner !== 'object' || inner === null) {
    const trouble = { reason: `${file} has no servers`, fix: 'Write {"mcpServers": {"name": {"command": "…"}}}.' };
    return [{ kind: 'server', name: file, file, trouble }];
  }
  return Object.entries(inner).map(([name, config]: [string, unknown]) => {
    const parsed = serverSchema.safeParse(config).data;
    if (parsed !== undefined) return { kind: 'server', name, file, how: describe(parsed) };
    return {
      kind: 'server',
      name,
      file,
      trouble: {
        reason: 'it has neither a "command" nor a "type" with a "url": the CLI drops it without a word',
        fix: 'Write {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server.js"]}.',
      },
    };
  });
}

function describe(server: z.infer<typeof serverSchema>): string {
  if (typeof server['url'] === 'string') return server['url'];
  return [server['command'], ...(Array.isArray(server['args']) ? server['args'] : [])].join(' ');
}
