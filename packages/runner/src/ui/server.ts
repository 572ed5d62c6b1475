import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { bearerOf, freshSecret, listen, originOf, RequestGuard, refuseGarbage } from '@understudy/kit';
import type { Board } from './board.js';

const HOST = '127.0.0.1';
const LARGEST_BODY = 1024 * 1024;

export interface UiServer {
  /** The address with the token, for the browser of the user. */
  address: string;
  close(): Promise<void>;
}

/**
 * Serves the page on loopback, and its data to whoever has the token. The token is behind the `#` of the address, which no
 * browser sends, and the page sends it in a header: a cookie would go to every other port of this machine.
 */
export async function serveBoard(board: Board, page: string, port = 0): Promise<UiServer> {
  const token = freshSecret();
  const guard = new RequestGuard({
    ...{ host: HOST, key: token, keyName: 'the token', keyHint: 'open the address that `understudy ui` printed' },
    keysOf: (request) => bearerOf(request.headers),
    ownPages: true,
  });
  const server = createServer((request, response) => {
    answer(request, response, { board, page, guard }).catch(() => refuse(response, 500, 'it could not be answered'));
  });
  refuseGarbage(server);
  const opened = await listen(server, { host: HOST, port });
  return {
    address: `${originOf({ host: HOST, port: opened })}/#token=${token}`,
    close: () => closeServer(server),
  };
}

interface Context {
  board: Board;
  page: string;
  guard: RequestGuard;
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { board, page, guard } = context;
  const stranger = guard.refuseStranger(request.headers);
  if (stranger !== undefined) return refuse(response, stranger.status, stranger.message);
  const url = new URL(request.url ?? '/', `http://${HOST}`);
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /') {
    // There is no data in it.
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
    return;
  }
  const refusal = guard.refuseWithoutKey(request);
  if (refusal !== undefined) return refuse(response, refusal.status, refusal.message);
  switch (route) {
    case 'GET /api/overview':
      return sendJson(response, board.overview());
    case 'GET /api/test': {
      const details = board.details(Number(url.searchParams.get('index') ?? -1));
      return details === undefined ? refuse(response, 404, 'there is no such test') : sendJson(response, details);
    }
    case 'GET /api/changes':
      return sendChanges(response, board);
    case 'POST /api/run': {
      const which = whichOf(await readJson(request));
      if (which === undefined) return refuse(response, 400, 'send { "run": "all" }, "failed" or a list of ids');
      board.run(which);
      return sendJson(response, {});
    }
    case 'POST /api/stop':
      board.stop();
      return sendJson(response, {});
    default:
      return refuse(response, 404, 'there is nothing here');
  }
}

function whichOf(body: unknown): readonly string[] | 'all' | 'failed' | undefined {
  const run = (body as { run?: unknown } | null)?.run;
  if (run === 'all' || run === 'failed') return run;
  return Array.isArray(run) && run.every((id) => typeof id === 'string') ? run : undefined;
}

/** Server-sent events: each says only that there is something new to ask for. */
function sendChanges(response: ServerResponse, board: Board): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('data: changed\n\n');
  let isScheduled = false;
  const stop = board.onChange(() => {
    if (isScheduled) return;
    isScheduled = true;
    // Many things happen in one moment.
    setTimeout(() => {
      isScheduled = false;
      response.write('data: changed\n\n');
    }, 50);
  });
  response.on('close', stop);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_BODY) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${message}\n`);
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
