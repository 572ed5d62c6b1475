import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstudyError } from '../../../errors.js';
import { ownProgram } from '../../../process/own-program.js';
import type { Mocks } from './mocks.js';
import type { ProxySpec } from './proxy.js';
import { isLocal, type LocalServer, type ServerConfig, serverConfigSchema, withVariables } from './server-config.js';

export interface ProxyContext {
  mocks: Mocks;
  /** The specifications and the log of calls are written here. */
  folder: string;
}

/** The entry that an agent gets in place of a server's own: a proxy with the server behind it. */
export function proxyFor(name: string, config: ServerConfig | undefined, { mocks, folder }: ProxyContext): LocalServer {
  const replaced = mocks.all.some((mock) => mock.server === name && mock.replace);
  if (config !== undefined && !isLocal(config) && !replaced) {
    throw new UnderstudyError(
      'MCP_MOCK_REMOTE',
      `${name} is a remote server, and a proxy cannot stand in front of it`,
      {
        fix: 'Mock it with replace: true, so that there are only mocks in its place.',
      },
    );
  }
  const spec: ProxySpec = {
    name,
    mocks: mocks.file,
    log: callLog(folder),
    ...(config === undefined || replaced || !isLocal(config) ? {} : { server: config }),
  };
  const file = join(folder, `proxy-${name.replace(/[^\w-]/g, '_')}.json`);
  writeFileSync(file, JSON.stringify(spec));
  const [command = process.execPath, ...args] = ownProgram('understudy.js');
  return { command, args: [...args, 'mcp-proxy', file] };
}

/** Where the proxies of a conversation write down each call. */
export function callLog(folder: string): string {
  return join(folder, 'mcp-calls.jsonl');
}

/** Puts proxies in front of the servers of a plugin's copy, where a mock concerns them. */
export function putProxies(root: string, place: ProxyContext): string[] {
  const seen: string[] = [];
  for (const file of ['.mcp.json', join('.claude-plugin', 'plugin.json')]) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    let document: unknown;
    try {
      document = JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      // The CLI will say what is wrong with it.
      continue;
    }
    const servers = serversIn(document, file === '.mcp.json');
    if (servers === undefined) continue;
    for (const [name, entry] of Object.entries(servers)) {
      const config = serverConfigSchema.safeParse(entry).data;
      if (config === undefined || !place.mocks.concern(name)) continue;
      servers[name] = proxyFor(name, withVariables(config, { CLAUDE_PLUGIN_ROOT: root }), place);
      seen.push(name);
    }
    writeFileSync(path, JSON.stringify(document, null, 2));
  }
  return seen;
}

function serversIn(document: unknown, isServerFile: boolean): Record<string, unknown> | undefined {
  if (!isRecord(document)) return undefined;
  if (isRecord(document['mcpServers'])) return document['mcpServers'];
  return isServerFile && document['mcpServers'] === undefined ? document : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
