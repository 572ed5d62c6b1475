import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { HttpServer } from '../../src/mcp/http/server.js';
import { callerOf, errorCode } from '../helpers/mcp-client.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const TOKEN = 'open-sesame-and-let-me-in';
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
    expect((await one.client.listTools()).tools).toHaveLength(38);
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

/** The first request of a client that never comes back: it opens no stream and ends nothing. */
function initialize({ origin }: { origin: string }): Promise<Response> {
  const clientInfo = { name: 'silent', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  return post(origin, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
}

function post(origin: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${TOKEN}`,
      ...headers,
    },
    body,
  });
}

it('lets in no more clients than it has slots, and says how many that are and when to come again', async () => {
  const server = await serve({ sessionLimits: { sessions: 2 } });
  const together = await Promise.all(Array.from({ length: 5 }, () => initialize(server)));
  expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503]);
  const full = await initialize(server);
  expect(full.status).toBe(503);
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(500);
  expect(await full.json()).toMatchObject({
    error: {
      message: expect.stringMatching(/^all 2 session slots are in use; .* idle for 10 minutes$/),
      data: { slots: { limit: 2, used: 2 } },
    },
  });
  const health = await (await fetch(`${server.origin}/health`)).json();
  expect(health).toMatchObject({ sessions: 2, session_limit: 2 });
});

it('gives the slot of a client that never ends its session to another one', { timeout: 60_000 }, async () => {
  const server = await serve({ sessionLimits: { sessions: 1, idleMs: 1000 } });
  expect((await initialize(server)).status).toBe(200);
  expect((await initialize(server)).status).toBe(503);
  await expect.poll(async () => (await initialize(server)).status, { interval: 200, timeout: 10_000 }).toBe(200);
});

it('ends a client that is connected and asks for nothing only where another one needs its slot', async () => {
  const server = await serve({ sessionLimits: { sessions: 1, idleMs: 500 } });
  const quiet = await connect(server);
  await expect.poll(async () => (await health(server)).sessions).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect((await health(server)).sessions).toBe(1);
  await connect(server);
  await expect(quiet.client.listTools()).rejects.toThrow();
});

const health = async ({ origin }: { origin: string }) =>
  (await (await fetch(`${origin}/health`)).json()) as { sessions: number };

it('refuses other types, other methods and deep nesting by name', async () => {
  const { origin } = await serve();
  expect((await post(origin, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  const deep = await post(origin, '['.repeat(4_000_000));
  expect(deep.status).toBe(400);
  expect(await deep.json()).toMatchObject({ error: { message: expect.stringContaining('deeper than 128 levels') } });
  for (const method of ['TRACE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusOf(origin, { authorization }, '/mcp', method), method).toBe(405);
  }
});

it('keeps what is captured apart: no client reads or overwrites what another one has', {
  timeout: 60_000,
}, async () => {
  const scratch = createScratch('artifacts');
  onTestFinished(() => scratch.remove());
  const artifacts = join(scratch.path, 'kept');
  const server = await serve({ artifacts, roots: [scratch.path] });
  const captured = async ({ call, ask }: Awaited<ReturnType<typeof connect>>, words: string) => {
    const { session_id } = await call<{ session_id: string }>('start_conversation', { config: SIM });
    const { response_id } = await call<{ response_id: string }>('send_prompt', { session_id, prompt: words });
    await call('get_response', { response_id });
    return ask('capture_test_artifacts', { test_name: 'the same name', artifact_types: ['conversation'] });
  };
  const [a, b, c] = [await connect(server), await connect(server), await connect(server, '/mcp/c', 'auto')];
  const [ofA, ofB, ofC] = [await captured(a, 'I am A'), await captured(b, 'I am B'), await captured(c, 'I am C')];
  const folders = [ofA, ofB, ofC].map(({ data }) => String(data['artifacts_dir']));
  expect(new Set(folders).size).toBe(3);
  for (const folder of folders) expect(folder.startsWith(`${artifacts}/`)).toBe(true);
  const uri = ofA.links[0] ?? '';
  expect(JSON.stringify(await a.client.readResource({ uri }))).toContain('I am A');
  for (const other of [b, c]) await expect(other.client.readResource({ uri })).rejects.toThrow();
  const seen = (await b.client.listResources()).resources.filter((one) => one.uri.includes('artifacts'));
  expect(seen.map((one) => one.uri)).toEqual(ofB.links);
  const files = { project_path: folders[0], file_specs: [{ path: 'x.txt', content: 'x' }] };
  for (const one of [a, b, c])
    expect(errorCode(await one.ask('create_sample_files', files))).toBe('HARNESS_PATH_TAKEN');
});

it('lets no client into a project of another one, wherever it is', { timeout: 60_000 }, async () => {
  const scratch = createScratch('roots');
  onTestFinished(() => scratch.remove());
  const server = await serve({ roots: [scratch.path, tmpdir()] });
  const [a, b] = [await connect(server), await connect(server)];
  const make = { project_type: 'cli', language: 'go' };
  for (const output_path of [undefined, join(scratch.path, 'team/project')]) {
    const { project_path } = await a.call<{ project_path: string }>('create_test_project', { ...make, output_path });
    const file_specs = [{ path: 'x.txt', content: 'x' }];
    for (const path of [project_path, join(project_path, 'cmd'), dirname(project_path)]) {
      const codes = [
        errorCode(await b.ask('create_sample_files', { project_path: path, file_specs })),
        errorCode(await b.ask('setup_git_repo', { project_path: path })),
        errorCode(await b.ask('start_conversation', { config: { ...SIM, project: path } })),
      ];
      expect(codes, path).toEqual(Array(3).fill('HARNESS_PATH_TAKEN'));
    }
    expect(errorCode(await b.ask('create_test_project', { ...make, output_path: join(project_path, 'b') }))).toBe(
      'HARNESS_PATH_TAKEN',
    );
    await a.call('create_sample_files', { project_path, file_specs });
  }
  await a.transport.terminateSession();
  const output_path = join(scratch.path, 'team/project-of-b');
  await b.call('create_test_project', { ...make, output_path });
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

it('does not print a token that it was given', async () => {
  const env = { UNDERSTUDY_MCP_TOKEN: TOKEN };
  const running = startUnderstudy(['mcp', '--http', '--port', '0'], { cwd: tmpdir(), env });
  onTestFinished(async () => {
    running.signal('SIGTERM');
    await running.exited;
  });
  const said = await running.says(/Ctrl-C/);
  expect(said).toContain('it wants the token that was given');
  expect(said).not.toContain(TOKEN);
});

it('frees slots as soon as the command line says', async () => {
  const scratch = createScratch('idle');
  const args = ['mcp', '--http', '--port', '0', '--json', '--no-token', '--client-idle-minutes', '0.01'];
  const running = startUnderstudy(args, { cwd: scratch.path });
  onTestFinished(async () => {
    running.signal('SIGTERM');
    await running.exited;
    await scratch.remove();
  });
  const { origin } = JSON.parse(await running.says(/\n}\n$/)) as { origin: string };
  expect((await initialize({ origin })).status).toBe(200);
  expect((await health({ origin })).sessions).toBe(1);
  await expect.poll(async () => (await health({ origin })).sessions, { timeout: 10_000 }).toBe(0);
});

it('prints a ready entry for each client', async () => {
  const { code, stdout } = await runUnderstudy(['mcp', '--print-config', '--json']);
  expect(code).toBe(0);
  const { clients } = JSON.parse(stdout) as { clients: { client: string; text: string }[] };
  expect(clients.map(({ client }) => client)).toEqual(['Claude Code', 'OpenCode', 'Codex', 'Gemini CLI', 'others']);
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string };
  expect(JSON.parse(clients[0]?.text ?? '')).toEqual({
    mcpServers: { understudy: { type: 'stdio', command: 'npx', args: ['-y', `${name}@${version}`, 'mcp'] } },
  });
  const http = await runUnderstudy(['mcp', '--print-config', '--http', '--token', TOKEN]);
  expect(http.stdout).toContain(`"Authorization": "Bearer ${TOKEN}"`);
});

it('refuses to be open to all', async () => {
  const open = await runUnderstudy(['mcp', '--http', '--host', '0.0.0.0', '--no-token']);
  expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('MCP_OPEN_TO_ALL') });
  const port = await runUnderstudy(['mcp', '--http', '--port', 'many']);
  expect(port).toMatchObject({ code: 2, stderr: expect.stringContaining('BAD_FLAG') });
});

it.each(['', 'short', '0123456789abcde', 'sixteen letters of it'])('refuses the token %j', async (token) => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const flag = await runUnderstudy(['mcp', '--http', '--port', '0', '--host', host, '--token', token]);
    expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('SECRET_TOO_WEAK') });
  }
  await expect(serve({ token })).rejects.toMatchObject({ code: 'SECRET_TOO_WEAK' });
  const env = { UNDERSTUDY_MCP_TOKEN: token };
  if (token !== '') {
    const variable = await runUnderstudy(['mcp', '--http', '--port', '0'], { env });
    expect(variable).toMatchObject({ code: 2, stderr: expect.stringContaining('UNDERSTUDY_MCP_TOKEN') });
  }
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
function statusOf(
  origin: string,
  headers: Record<string, string>,
  path = '/mcp',
  method = 'GET',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asking.on('error', reject);
    asking.end();
  });
}
