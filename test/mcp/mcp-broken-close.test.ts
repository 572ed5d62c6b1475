import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { buildServer } from '../../src/mcp/build-server.js';
import type { HarnessHolder } from '../../src/mcp/harness-holder.js';
import { HttpServer } from '../../src/mcp/http/server.js';
import { callerOf } from '../helpers/mcp-client.js';

async function connect(server: HttpServer, path: string, mode: 'legacy' | 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(path, server.origin)));
  return callerOf(client);
}

/** A server whose clients get a harness that cannot be closed in order. */
function buildBroken(holder: HarnessHolder) {
  const make = holder.get;
  return buildServer(
    {
      ...holder,
      async get() {
        const harness = await make();
        harness.projects.clear = () => {
          throw new Error('cannot be cleared');
        };
        return harness;
      },
    },
    'test',
  );
}

const harnessFolders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`understudy-${process.pid}-`) && name.includes('-harness-'));

it.for([
  { era: 'with sessions', path: '/mcp', mode: 'legacy' as const },
  { era: 'without sessions', path: '/mcp/broken', mode: 'auto' as const },
])('a client $era that cannot be cleared up ends neither the server nor other clients', async ({ path, mode }) => {
  const server = await HttpServer.start({
    ...{ version: 'test', port: 0, host: '127.0.0.1', token: undefined, hosts: [], roots: [], build: buildBroken },
    sessionLimits: { graceMs: 100, idleMs: 400 },
  });
  const leaving = await connect(server, path, mode);
  await leaving.call('list_plugins');
  await leaving.client.close();
  const staying = await connect(server, '/mcp/other', 'auto');
  // Meanwhile the first one is given up. A rejection that nobody handles would fail this run, and end the real server.
  do {
    await sleep(100);
    expect(await staying.call('list_plugins')).toMatchObject({ plugins: [] });
  } while (harnessFolders().length > 1);
  await staying.client.close();
  await expect(server.close('the test is over')).rejects.toThrow('cannot be cleared');
  expect(harnessFolders(), 'the scratch folders go all the same').toEqual([]);
});
