import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a plugin by their path; values that are no text become JSON. Scripts (*.sh) are executable. */
export type PluginFiles = Record<string, unknown>;

/** Writes a plugin with a manifest of its name, and gives its folder. */
export function writePlugin(root: string, name: string, files: PluginFiles = {}): string {
  const folder = join(root, name);
  const all: PluginFiles = { '.claude-plugin/plugin.json': { name, version: '1.0.0' }, ...files };
  for (const [path, content] of Object.entries(all)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    if (path.endsWith('.sh')) chmodSync(file, 0o755);
  }
  return folder;
}

/** A Markdown file with front matter. */
export function markdown(fields: Record<string, string>, body: string): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return ['---', ...lines, '---', body, ''].join('\n');
}

/** A hooks.json with one command for one event. */
export function hooksFile(
  event: string,
  command: string,
  more: Record<string, unknown> = {},
  matcher?: string,
): unknown {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, ...more }] };
  return { hooks: { [event]: [group] } };
}

/** The smallest MCP server, in plain Node: it has one tool. */
export const PING_SERVER = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const tools = [{ name: 'ping', description: 'Answers', inputSchema: { type: 'object', properties: {} } }];
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'ping', version: '1' } }
      : method === 'tools/list' ? { tools } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;

/** A plugin of everything, all of it in order. */
export function writeGoodPlugin(root: string, name = 'good'): string {
  return writePlugin(root, name, {
    'commands/hello.md': markdown({ description: 'Says hello' }, 'Say hello to $ARGUMENTS.'),
    'commands/deep/inner.md': 'An inner command.',
    'agents/reviewer.md': markdown({ name: 'reviewer', description: 'Reviews code' }, 'You review.'),
    'skills/mapping/SKILL.md': markdown({ name: 'mapping', description: 'Maps code' }, 'Map it.'),
    'hooks/hooks.json': {
      hooks: {
        PreToolUse: [
          { matcher: 'Write|Edit', hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/guard.sh' }] },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'true' }] }],
      },
    },
    'guard.sh': '#!/bin/sh\nexit 0\n',
    'server.mjs': PING_SERVER,
    '.mcp.json': { mcpServers: { pinger: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/server.mjs'] } } },
  });
}
