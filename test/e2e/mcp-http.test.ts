import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { HttpServer } from '../../src/mcp/http/server.js';
import { callerOf, errorCode } from '../helpers/mcp-client.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const TOKEN = 'open sesame';
const SIM = { stage: 'sim', scenario: { default_response: 'Hello.' } };

async function serve(options: Partial<Parameters<typeof HttpServer.start>[0]> = {}): Promise<HttpServer> {
  const server = await HttpServer.start({
    ...{ version: 'test', port: 0, host: '127.0.0.1', token: TOKEN, hosts: [], roots: [] },
    ...options,
  });
  onTestFinished(() => server.close('the test is over'));
  return server;
}

async function connect(server: HttpServer, path = '/mcp', mode: 'legacy' | 'auto' = 'legacy') {
  const transport = new StreamableHTTPClientTransport(new URL(path, server.origin), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { transport, ...callerOf(client) };
}

it('tells its health to everybody, and nothing else without the token', async () => {
  const { origin } = await serve();
  const health = await fetch(`${origin}/health`);
  expect(await health.json()).toMatchObject({ status: 'ok', name: 'understudy', sessions: 0 });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
    const answer = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
      body: JSON.stringify(list),
    });
    expect(answer.status, authorization).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  }
  expect((await fetch(`${origin}/elsewhere`)).status).toBe(404);
});

it('refuses foreign names and foreign pages, whatever the token', async () => {
  const { origin } = await serve();
  const authorization = `Bearer ${TOKEN}`;
  expect(await statusOf(origin, { host: 'evil.example', authorization })).toBe(403);
  expect(await statusOf(origin, { origin: 'https://evil.example', authorization })).toBe(403);
  expect(await statusOf(origin, { host: 'evil.example' }, '/health')).toBe(403);
  expect(await statusOf(origin, { origin: 'http://localhost:5173', authorization })).toBe(400);
});

it('serves both eras, each client with a world of its own', { timeout: 60_000 }, async () => {
  const server = await serve();
  const [a, b] = [await connect(server), await connect(server)];
  const [c, d] = [await connect(server, '/mcp/c', 'auto'), await connect(server, '/mcp/d', 'auto')];
  expect(c.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  for (const one of [a, c]) {
    const other = one === a ? b : d;
    expect((await one.client.listTools()).tools).toHaveLength(34);
    const { session_id } = await one.call<{ session_id: string }>('start_conversation', { config: SIM });
    const { response_id } = await one.call<{ response_id: string }>('send_prompt', { session_id, prompt: 'hi' });
    expect(await one.call('get_response', { response_id })).toMatchObject({ response: 'Hello.' });
    expect(errorCode(await other.ask('get_conversation_history', { session_id }))).toBe('HARNESS_NO_CONVERSATION');
    expect(errorCode(await other.ask('get_response', { response_id }))).toBe('HARNESS_NO_RESPONSE');
    const seen = (await other.client.listResources()).resources.map(({ uri }) => uri);
    expect(seen.filter((uri) => uri.includes('conversations'))).toEqual([]);
    await expect(
      other.client.readResource({ uri: `understudy://conversations/${session_id}/transcript` }),
    ).rejects.toThrow();
    await other.call('reset_test_environment');
    expect(await one.call('get_agent_mode', { session_id })).toMatchObject({ state: 'USER_PROMPT' });
  }
});

it('gives a client without session and space nothing that others could touch', async () => {
  const server = await serve();
  const { ask, call } = await connect(server, '/mcp', 'auto');
  expect(errorCode(await ask('start_conversation', { config: SIM }))).toBe('MCP_NO_SESSION');
  expect(await call('assert_contains_keywords', { text: 'a b', keywords: ['b'] })).toMatchObject({ passed: true });
});

it('ends what a client had when it ends its session, breaks off, or falls idle', { timeout: 60_000 }, async () => {
  const server = await serve({ sessionLimits: { graceMs: 300, idleMs: 60_000 } });
  const polite = await connect(server);
  const lost = await connect(server);
  const pids: number[] = [];
  for (const { call } of [polite, lost]) {
    const { server_id, pid } = await call<{ server_id: string; pid: number }>('start_mcp_server', {
      server_name: 'sleeper',
      server_config: { command: process.execPath, args: ['-e', SLEEPER] },
    });
    expect(server_id).toMatch(/^mcp_/);
    pids.push(pid);
  }
  await polite.transport.terminateSession();
  await expect(polite.client.listTools()).rejects.toThrow();
  await lost.transport.close();
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  const { sessions } = (await (await fetch(`${server.origin}/health`)).json()) as { sessions: number };
  expect(sessions).toBe(0);
});

it('lets in no more clients than it may', async () => {
  const server = await serve({ sessionLimits: { sessions: 1 } });
  await connect(server);
  await expect(connect(server)).rejects.toThrow(/1 clients are connected/);
});

it('starts from the command line, says its token, and leaves nothing when it is told to end', async () => {
  const child = spawn(process.execPath, [UNDERSTUDY, 'mcp', '--http', '--port', '0', '--json'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(/\n}\n$/);
  const { url, token } = JSON.parse(out) as { url: string; token: string };
  expect(token.length).toBeGreaterThan(30);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { call } = callerOf(client);
  const { pid } = await call<{ pid: number }>('start_mcp_server', {
    server_name: 'sleeper',
    server_config: { command: process.execPath, args: ['-e', SLEEPER] },
  });
  expect(isRunning(pid)).toBe(true);
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(isRunning(pid)).toBe(false);
});

it('prints a ready entry for each client', async () => {
  const { code, stdout } = await runUnderstudy(['mcp', '--print-config', '--json']);
  expect(code).toBe(0);
  const { clients } = JSON.parse(stdout) as { clients: { client: string; text: string }[] };
  expect(clients.map(({ client }) => client)).toEqual(['Claude Code', 'OpenCode', 'Codex', 'Gemini CLI', 'others']);
  expect(clients[0]?.text).toContain('"command": "understudy"');
  const http = await runUnderstudy(['mcp', '--print-config', '--http', '--token', 'abc']);
  expect(http.stdout).toContain('"Authorization": "Bearer abc"');
});

it('refuses to be open to all', async () => {
  const open = await runUnderstudy(['mcp', '--http', '--host', '0.0.0.0', '--no-token']);
  expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('MCP_OPEN_TO_ALL') });
  const port = await runUnderstudy(['mcp', '--http', '--port', 'many']);
  expect(port).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_FLAG') });
});

/** An MCP server that answers the handshake and then stays. */
const SLEEPER = `
setInterval(() => {}, 1000);
process.stdin.on('data', (chunk) => {
  for (const line of String(chunk).split('\\n').filter(Boolean)) {
    const { id, method, params } = JSON.parse(line);
    if (method !== 'initialize') continue;
    const result = { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  }
});
process.stdin.on('end', () => {});
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** fetch does not let one lie about the host. */
function statusOf(origin: string, headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, { method: 'GET', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });
}
