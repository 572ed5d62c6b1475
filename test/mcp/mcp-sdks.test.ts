import * as second from '@modelcontextprotocol/client';
import * as secondStdio from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpServer } from '../../src/mcp/http/server.js';
import { type FirstMcpSdk, loadFirstMcpSdk } from '../conformance/agent-sdk/install.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

const sdks: Record<string, () => Promise<FirstMcpSdk | undefined>> = {
  'SDK 1.x': loadFirstMcpSdk,
  'SDK 2.x': async () => ({ ...second, ...secondStdio }),
};

const transports = {
  stdio: async ({ StdioClientTransport }: FirstMcpSdk) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [UNDERSTUDY, 'mcp'],
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
      stderr: 'ignore',
    }),
  HTTP: async ({ StreamableHTTPClientTransport }: FirstMcpSdk) => {
    const server = await HttpServer.start({
      ...{ version: 'test', port: 0, host: '127.0.0.1', token: undefined, hosts: [], roots: [] },
    });
    onTestFinished(() => server.close('the test is over'));
    return new StreamableHTTPClientTransport(new URL('/mcp', server.origin));
  },
};

/** What can go wrong, the tool that it happens in, and what its user must read. */
const errors = [
  ['get_response', { response_id: 'nobody' }, 'HARNESS_NO_RESPONSE', 'nobody'],
  ['get_response', { wait: 'long' }, 'MCP_BAD_INPUT', 'wait'],
  ['setup_git_repo', { project_path: '/nowhere' }, 'HARNESS_PATH_OUTSIDE', '/nowhere'],
  ['start_conversation', { config: { stage: 'sim', scenario: { responses: 1 } } }, 'SCENARIO_INVALID', 'responses'],
] as const;

describe.each(Object.keys(sdks))('the official client of %s', (generation) => {
  it.each(Object.entries(transports))('reads each error over %s', async (_over, transportOf) => {
    const sdk = await sdks[generation]?.();
    if (sdk === undefined) return;
    const client = new sdk.Client({ name: 'test', version: '1' });
    await client.connect(await transportOf(sdk));
    onTestFinished(() => client.close());
    // From here on, the client holds every result against what the list says of it.
    expect((await client.listTools()).tools).toHaveLength(38);
    for (const [name, args, code, word] of errors) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
      expect(isError, code).toBe(true);
      const told = { code, message: expect.any(String), fix: expect.stringMatching(/^[A-Z]/) };
      expect(structuredContent).toMatchObject({ error: told });
      expect(JSON.stringify(structuredContent)).toContain(word);
      const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join();
      expect(text).toMatch(new RegExp(`^${code}: .*\n(.*\n)*fix: [A-Z]`));
      expect(text).toContain(word);
    }
  });
});
