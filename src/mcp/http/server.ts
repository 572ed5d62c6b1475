import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/server';
import { isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import { UnderstudyError } from '../../errors.js';
import { runAllSteps, waitForAll } from '../../process/teardown.js';
import { buildServer } from '../build-server.js';
import type { HarnessOptions } from '../harness/harness.js';
import type { HarnessHolder } from '../harness-holder.js';
import { Admission, type AdmissionOptions } from './admission.js';
import { BodyTooLarge, sendWebResponse, toWebRequest } from './node-bridge.js';
import { rpcError } from './rpc-error.js';
import { defaultSessionLimits, type SessionLimits, Sessions } from './sessions.js';
import { Spaces, spaceOf } from './spaces.js';

export interface HttpOptions extends HarnessOptions, AdmissionOptions {
  version: string;
  port: number;
  host: string;
  sessionLimits?: Partial<SessionLimits>;
  /** What a client is served; our own server unless told otherwise. */
  build?: (holder: HarnessHolder) => McpServer;
}

/** The MCP server over HTTP: `/mcp`, `/mcp/NAME`, and `/health`. */
export class HttpServer {
  readonly #http: Server;
  readonly #admission: Admission;
  readonly #sessions: Sessions;
  readonly #spaces: Spaces;
  readonly #version: string;
  readonly #host: string;
  readonly #started = Date.now();

  private constructor({ version, port: _port, host, token, hosts, sessionLimits, ...rest }: HttpOptions) {
    const { build = (holder: HarnessHolder) => buildServer(holder, version), ...harness } = rest;
    const limits = { ...defaultSessionLimits, ...sessionLimits };
    this.#version = version;
    this.#host = host;
    this.#admission = new Admission({ token, hosts });
    this.#sessions = new Sessions({ harness, build, limits });
    this.#spaces = new Spaces({ harness, build, limits });
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#http.on('clientError', (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
  }

  static async start(options: HttpOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#http.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause)));
      server.#http.listen(options.port, options.host, resolve);
    });
    return server;
  }

  /** `http://127.0.0.1:PORT` */
  get origin(): string {
    const { port } = this.#http.address() as AddressInfo;
    return `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${port}`;
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
    const head = new Headers();
    for (const name of ['host', 'origin', 'authorization'] as const) {
      const value = request.headers[name];
      if (value !== undefined) head.set(name, value);
    }
    const path = pathOf(request);
    const stranger = this.#admission.refuseStranger(head);
    if (stranger !== undefined) return stranger;
    if (path === '/health') return this.#health();
    if (path !== '/mcp' && spaceOf(path) === undefined)
      return rpcError(404, -32601, 'there is /mcp, /mcp/NAME and /health');
    // Before the body is read: who may not come in does not get to send four megabytes.
    const refused = this.#admission.refuseWithoutToken(head);
    if (refused !== undefined) return refused;
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
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return rpcError(415, -32000, 'the content type must be application/json');
      }
      try {
        body = JSON.parse(await request.clone().text());
      } catch {
        return rpcError(400, -32700, 'the request is not valid JSON');
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

function cannotListen({ host, port }: HttpOptions, cause: NodeJS.ErrnoException): UnderstudyError {
  return new UnderstudyError('CANNOT_LISTEN', `cannot listen on ${host}:${port}: ${cause.message}`, {
    fix: cause.code === 'EADDRINUSE' ? 'Choose another port, or 0 for a free one.' : 'Check the host and the port.',
    cause,
  });
}
