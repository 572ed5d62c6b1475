import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { standInCommand } from '../../packages/agents/src/stand-in.js';
import { type Case, control, LIVING, say, tool, user } from '../../packages/suites/src/drift/case.js';
import { type Observed, observe } from '../../packages/suites/src/drift/observe.js';
import { realAgent } from '../helpers/real-agents.js';

/** MCP servers behind addresses: what they hear of the stand-in, they hear of the real Claude Code. */
interface ReceivedRequest {
  path: string;
  method: string;
  asks: string | undefined;
  headers: Record<string, unknown>;
}

let heard: ReceivedRequest[] = [];
let base = '';
const streams = new Set<ServerResponse>();
const server = createServer(answer);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const stream of streams) stream.end();
  server.closeAllConnections();
  server.close();
});

const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'x-own'];
/** How often the real one tries a broken server again depends on the clock. */
const LONGEST: Record<string, number> = { '/500': 2 };
const TOOLS = { tools: [{ name: 'say', inputSchema: { type: 'object' } }] };

function resultOf(method: string, path: string): object | undefined {
  const results: Record<string, object | undefined> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    },
    'tools/list': TOOLS,
    'tools/call': { content: [{ type: 'text', text: `${path} was called` }] },
    'server/discover':
      path === '/modern'
        ? {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'new web', version: '1' } },
          }
        : undefined,
  };
  return results[method];
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const path = request.url ?? '';
  const message = body === '' ? {} : (JSON.parse(body) as { id?: unknown; method?: string });
  const headers = Object.fromEntries(HEADERS.map((name) => [name, request.headers[name]]));
  if (!path.startsWith('/.well-known') && !path.startsWith('/register'))
    heard.push({ path, method: request.method ?? '', asks: message.method, headers });
  const status = Number(/^\/(\d{3})$/.exec(path)?.[1] ?? 200);
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`no: ${status}`);
    return;
  }
  if (path === '/old' && request.method === 'GET') {
    streams.add(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /old/messages\n\n');
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(path.startsWith('/.well-known') ? 404 : 405).end();
    return;
  }
  const result = resultOf(message.method ?? '', path);
  const reply = JSON.stringify({
    jsonrpc: '2.0',
    id: message.id,
    ...(result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }),
  });
  if (message.id === undefined) response.writeHead(202).end();
  else if (path.startsWith('/old')) {
    for (const stream of streams) stream.write(`event: message\ndata: ${reply}\n\n`);
    response.writeHead(202).end();
  } else {
    const asEvents = path === '/events';
    response.writeHead(200, {
      'content-type': asEvents ? 'text/event-stream' : 'application/json',
      ...(path === '/modern' ? {} : { 'mcp-session-id': 'one' }),
    });
    response.end(asEvents ? `event: message\r\ndata: ${reply}\r\n\r\n` : reply);
  }
}

function caseAt(url: string): Case {
  const http = (path: string) => ({ type: 'http', url: `${url}${path}`, headers: { 'x-own': 'mine' } });
  const mcpServers = {
    json: http('/json'),
    events: http('/events'),
    modern: http('/modern'),
    old: { type: 'sse', url: `${url}/old` },
    none: http('/404'),
    broken: http('/500'),
    nobody: { type: 'http', url: 'http://127.0.0.1:1/x' },
  };
  const names = ['json', 'events', 'modern', 'old'];
  return {
    name: 'servers on the web',
    args: [
      ...LIVING,
      '--mcp-config',
      JSON.stringify({ mcpServers }),
      '--allowedTools',
      ...names.map((name) => `mcp__${name}`),
    ],
    turns: [[...names.map((name) => tool(`mcp__${name}__say`, {})), say('done')]],
    talk: [
      ...control('init', { subtype: 'initialize' }),
      user('go'),
      { until: 'result' },
      ...control('status', { subtype: 'mcp_status' }),
    ],
  };
}

/** What came out of it, and what the servers have heard, each for itself: they are asked at the same time. */
async function played(program: Parameters<typeof observe>[0]) {
  heard = [];
  const observed = await observe(program, caseAt(base));
  const paths = [...new Set(heard.map(({ path }) => path))].sort();
  return {
    results: resultsIn(observed),
    servers: observed.events.find(({ subtype }) => subtype === 'init')?.['mcp_servers'],
    status: statusIn(observed),
    heard: paths.map((path) => ({
      path,
      // When the stream of the server is opened depends on the clock.
      said: heard.filter((one) => one.path === path && one.method === 'POST').slice(0, LONGEST[path]),
      listened: heard.filter((one) => one.path === path && one.method === 'GET').length,
    })),
  };
}

function resultsIn({ events }: Observed): unknown[] {
  return events
    .filter(({ type }) => type === 'user')
    .map(({ message }) => (message as { content: { content: unknown }[] }).content[0]?.content);
}

function statusIn({ events }: Observed): unknown {
  const found = events.find(
    ({ type, response }) =>
      type === 'control_response' && (response as { request_id?: string }).request_id === 'status',
  );
  return (found?.['response'] as { response?: unknown } | undefined)?.response;
}

it('hears the same of the stand-in as of the real Claude Code', { timeout: 120_000 }, async (context) => {
  const found = await realAgent('claude', context);
  const real = await played({ kind: 'real', command: found?.command ?? [] });
  const standIn = await played({ kind: 'stand-in', command: standInCommand('claude') });
  expect(standIn).toEqual(real);
  expect(standIn.results).toEqual(
    ['/json', '/events', '/modern', '/old/messages'].map((path) => [{ type: 'text', text: `${path} was called` }]),
  );
});
