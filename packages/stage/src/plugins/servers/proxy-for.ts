import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined, ownProgram, UnderstudyError } from '@understudy/kit';
import type { Mocks } from './mocks.js';
import type { ProxySpec } from './proxy.js';
import { isLocal, type LocalServer, type ServerConfig } from './server-config.js';
import type { ServerFaults } from './server-faults.js';

export interface ProxyContext {
  mocks: Mocks;
  /** The specifications and the log of calls are written here. */
  folder: string;
  /** What goes wrong with the server, on purpose. */
  faults?: ServerFaults | undefined;
}

/** The entry that an agent gets in place of a server's own: a proxy with the server behind it. */
export function proxyFor(
  name: string,
  config: ServerConfig | undefined,
  { mocks, folder, faults }: ProxyContext,
): LocalServer {
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
    ...defined({ faults }),
    ...(config === undefined || replaced || !isLocal(config) ? {} : { server: config }),
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `proxy-${name.replace(/[^\w-]/g, '_')}.json`);
  writeFileSync(file, JSON.stringify(spec));
  const [command = process.execPath, ...args] = ownProgram('understudy.js');
  return { command, args: [...args, 'mcp-proxy', file] };
}

/** Where the proxies of a conversation write down each call. */
export function callLog(folder: string): string {
  return join(folder, 'mcp-calls.jsonl');
}
