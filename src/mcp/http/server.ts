import { realpathSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { isLegacyRequest } from '@modelcontextprotocol/server';
import {
  bearerOf,
  checkJsonDepth,
  JsonTooDeep,
  listen,
  makeFolder,
  originOf,
  RequestGuard,
  type RequestRefusal,
  refuseGarbage,
  runAllSteps,
  waitForAll,
} from '@understudy/kit';
import { buildServer } from '../build-server.js';
import { FolderClaims } from '../harness/folder-claims.js';
import type { HarnessOptions } from '../harness/harness.js';
import type { HarnessHolder } from '../harness-holder.js';
import { BodyTooLarge, sendWebResponse, toWebRequest } from './node-bridge.js';
import { rpcError } from './rpc-error.js';
import { defaultSessionLimits, type SessionLimits, Sessions } from './sessions.js';
import { Spaces, spaceOf } from './spaces.js';

export interface HttpOptions extends HarnessOptions {
  version: string;
  port: number;
  host: string;
  /** Who knows it may come in; undefined lets everybody in who reaches us. */
  token: string | undefined;
  /** Names under which we are reached, besides our address. */
  hosts: readonly string[];
  sessionLimits?: Partial<SessionLimits>;
  /** Builds the server for a client; by default, ours. */
  build?: (holder: HarnessHolder) => McpServer;
}

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD'];

/** The MCP server over HTTP: `/mcp`, `/mcp/NAME`, and `/health`. */
export class HttpServer {
  readonly #http: Server;
  readonly #guard: RequestGuard;
  readonly #sessions: Sessions;
  readonly #spaces: Spaces;
  readonly #limits: SessionLimits;
  readonly #version: string;
  readonly #host: string;
  readonly #started = Date.now();
  #port = 0;

  private constructor({ version, port: _port, host, token, hosts, sessionLimits, ...rest }: HttpOptions) {
    const { build = (holder: HarnessHolder) => buildServer(holder, version), ...harness } = rest;
    this.#limits = { ...defaultSessionLimits, ...sessionLimits };
    this.#version = version;
    this.#host = host;
    this.#guard = new RequestGuard({
      ...{ host, hosts, key: token, keyName: 'the token', keyHint: 'send "Authorization: Bearer TOKEN"' },
      keysOf: ({ headers }) => bearerOf(headers),
      ownPages: true,
    });
    const clients = { harnessFor: separateFolders({ ...harness, version }), build, limits: this.#limits };
    this.#sessions = new Sessions(clients);
    this.#spaces = new Spaces(clients);
    // Without keep-alive probes, a client whose machine was switched off would look connected for ever.
    this.#http = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000 }, (request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    refuseGarbage(this.#http);
  }

  static async start(options: HttpOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    server.#port = await listen(server.#http, options);
    return server;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    return originOf({ host: this.#host, port: this.#port });
  }

  /** Ends every session, and with it every conversation. */
  async close(reason: string): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    await runAllSteps([
      () => waitForAll([this.#sessions.close(reason), this.#spaces.close(reason)]),
      () => this.#http.closeAllConnections(),
      () => closed,
    ]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await sendWebResponse(await this.#answer(request, response), response);
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Response> {
    const path = pathOf(request);
    const stranger = this.#guard.refuseStranger(request.headers);
    if (stranger !== undefined) return refused(stranger);
    if (path === '/health') return this.#health();
    if (path !== '/mcp' && spaceOf(path) === undefined)
      return rpcError(404, -32601, 'there is /mcp, /mcp/NAME and /health');
    if (!METHODS.includes(request.method ?? '')) {
      const answer = rpcError(405, -32000, `the method ${request.method} is not allowed`);
      answer.headers.set('allow', METHODS.join(', '));
      return answer;
    }
    // Before the body is read: who may not come in does not get to send four megabytes.
    const refusal = this.#guard.refuseWithoutKey(request);
    if (refusal !== undefined) return refused(refusal);
    try {
      return await this.#serve(await toWebRequest(request, response, this.origin));
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        response.setHeader('connection', 'close');
        return rpcError(413, -32600, 'the request is too large');
      }
      throw error;
    }
  }

  async #serve(request: Request): Promise<Response> {
    let body: unknown;
    if (request.method === 'POST') {
      const bytes = Buffer.from(await request.clone().arrayBuffer());
      try {
        checkJsonDepth(bytes);
        body = JSON.parse(bytes.toString('utf8'));
      } catch (error) {
        const problem = error instanceof JsonTooDeep ? `cannot be read: ${error.message}` : 'is not valid JSON';
        return rpcError(400, -32700, `the request ${problem}`);
      }
    }
    return (await isLegacyRequest(request, body))
      ? this.#sessions.handle(request, body)
      : this.#spaces.handle(request, body);
  }

  #health(): Response {
    return Response.json({
      status: 'ok',
      name: 'understudy',
      version: this.#version,
      sessions: this.#sessions.count + this.#spaces.count,
      session_limit: this.#limits.sessions,
      uptime_seconds: Math.round((Date.now() - this.#started) / 1000),
    });
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  try {
    return new URL(url, 'http://localhost').pathname;
  } catch {
    return '';
  }
}

/** Every client has folders of its own: for its artifacts below the given folder, and what it makes elsewhere. */
function separateFolders({ artifacts, ...harness }: HarnessOptions): (client: string) => HarnessOptions {
  const claims = new FolderClaims();
  if (artifacts === undefined) return () => ({ ...harness, claims });
  makeFolder(artifacts);
  const folder = realpathSync(artifacts);
  claims.newClient().claim(folder);
  return (client) => ({ ...harness, claims, artifacts: join(folder, client) });
}

function refused({ status, message }: RequestRefusal): Response {
  const answer = rpcError(status, status === 401 ? -32001 : -32000, message);
  if (status === 401) answer.headers.set('www-authenticate', 'Bearer realm="understudy"');
  // Its body is not read.
  answer.headers.set('connection', 'close');
  return answer;
}
