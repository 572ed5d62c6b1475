import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnderstudyError } from '../errors.js';
import type { Scenario } from '../scenario/load.js';
import { Script } from '../scenario/script.js';
import { ModelConversations } from './conversations.js';
import { sendError, sendJson } from './delivery.js';
import { type AgentEnvironment, agentEnvironment, type EnvironmentOptions, type ServedAgent } from './environment.js';
import { Journal, type JournalEntry, redacted, redactedPath } from './journal.js';
import { modelList } from './models.js';
import { BadBody, decoded, parsed, readBody } from './request-body.js';
import { type Notes, Responder } from './responder.js';
import { type Route, route } from './router.js';
import { estimateTokens } from './wire/pieces.js';
import { type ErrorKind, MalformedRequest } from './wire/protocol.js';

export interface ModelServerOptions {
  /** A scenario, or a script that is shared with others. */
  scenario?: Scenario;
  script?: Script;
  /** Default: 0, which means any free port. */
  port?: number;
  /** Default: loopback. */
  host?: string;
  /** The file of the journal (JSON lines), and the number of entries in memory. */
  journal?: { file?: string; keep?: number };
  /** `false` sends the problem as the answer if no rule matches, instead of an error. */
  strict?: boolean;
  /** Maximum size of a request body, in bytes. */
  bodyLimit?: number;
}

/** The maximum of Anthropic's API. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** Starts a model API that answers from a scenario. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const script = options.script ?? (options.scenario === undefined ? undefined : new Script(options.scenario));
  if (script === undefined) {
    throw new UnderstudyError('SCENARIO_MISSING', 'the model server has no scenario', {
      fix: 'Give `scenario` (see loadScenario and defineScenario) or `script`.',
    });
  }
  const server = new ModelServer(script, options);
  await server.listen();
  return server;
}

/** A model API on loopback that answers from a script. */
export class ModelServer {
  readonly script: Script;
  readonly journal: Journal;
  readonly conversations: ModelConversations;
  readonly #host: string;
  readonly #bodyLimit: number;
  readonly #responder: Responder;
  readonly #http: Server;
  #port: number;
  #closed = false;
  #reopening: NodeJS.Timeout | undefined;

  constructor(
    script: Script,
    { host = '127.0.0.1', port = 0, journal, strict = true, bodyLimit = BODY_LIMIT }: ModelServerOptions,
  ) {
    this.script = script;
    this.journal = new Journal(journal);
    this.conversations = new ModelConversations(script);
    this.#host = host;
    this.#port = port;
    this.#bodyLimit = bodyLimit;
    this.#responder = new Responder(script, this.conversations, {
      strict,
      refuse: (ms) => this.#refuseConnections(ms),
    });
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#http.requestTimeout = 0;
    this.#http.keepAliveTimeout = 60_000;
    this.#http.on('clientError', (_error, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
  }

  /** The base URL for clients: `http://127.0.0.1:PORT`. */
  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${host}:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** What a CLI needs to use this server. */
  environment(agent: ServedAgent, options?: EnvironmentOptions): AgentEnvironment {
    return agentEnvironment(agent, this.url, options);
  }

  /** Opens the port. `startModelServer` calls this. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const failed = (cause: NodeJS.ErrnoException) =>
        reject(
          new UnderstudyError('CANNOT_LISTEN', `cannot listen on ${this.#host}:${this.#port}: ${cause.message}`, {
            fix:
              cause.code === 'EADDRINUSE'
                ? 'Choose another port, or 0 for a free one.'
                : 'Check the host and the port.',
            cause,
          }),
        );
      this.#http.once('error', failed);
      this.#http.listen(this.#port, this.#host, () => {
        this.#http.off('error', failed);
        resolve();
      });
    });
    this.#port = (this.#http.address() as AddressInfo).port;
  }

  /** Ends the server and all its connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#reopening);
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
    this.journal.close();
  }

  /** Closes the port for a time. Requests in progress continue. */
  #refuseConnections(milliseconds: number): void {
    clearTimeout(this.#reopening);
    this.#http.close();
    this.#http.closeIdleConnections();
    this.#reopening = setTimeout(() => {
      // It tries until it works, and does not fail.
      this.#reopen().catch(() => {});
    }, milliseconds);
  }

  async #reopen(): Promise<void> {
    while (!this.#closed) {
      // Another program may have taken the port in the meantime. We try again until it is free.
      const open = await this.listen().then(
        () => true,
        () => false,
      );
      if (open) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const { method = 'GET', url = '/', headers } = request;
    const number = this.journal.nextNumber();
    const asked = route(method, url, headers);
    let body: Buffer | undefined;
    let notes: Notes;
    let cut = false;
    response.once('close', () => {
      cut = !response.writableFinished;
    });
    try {
      body = decoded(await readBody(request, this.#bodyLimit), request.headers['content-encoding'], this.#bodyLimit);
      notes = await this.#answer(request, response, asked, body);
    } catch (error) {
      notes = refuse(response, asked, error);
    }
    if (this.#closed) return;
    if (cut) notes.incomplete = true;
    this.journal.add({
      number,
      at: new Date().toISOString(),
      milliseconds: Math.round((performance.now() - started) * 1000) / 1000,
      kind: 'probe',
      method,
      path: redactedPath(url),
      protocol: asked.protocol.name,
      status: response.statusCode,
      ...notes,
      get headers() {
        return redacted(headers);
      },
      get body() {
        return readable(body);
      },
    } satisfies JournalEntry);
  }

  async #answer(request: IncomingMessage, response: ServerResponse, asked: Route, body: Buffer): Promise<Notes> {
    const { want, protocol, target } = asked;
    switch (want) {
      case 'answer':
        if (request.method !== 'POST')
          return { kind: 'refused', status: sendError({ response, protocol }, 'method_not_allowed', undefined) };
        return this.#responder.respond(request, response, protocol, parsed(body), target);
      case 'token-count':
        parsed(body);
        sendJson(response, 200, protocol.tokenCount(estimateTokens(body.length)));
        return { kind: 'auxiliary', auxiliary: 'token-count' };
      case 'models':
        sendJson(response, 200, modelList(asked, this.script.scenario.document.default_model));
        return { kind: 'probe' };
      case 'alive':
        sendJson(response, 200, { understudy: 'model server', requests: this.journal.count });
        return { kind: 'probe' };
      case 'unknown':
        return {
          kind: 'refused',
          status: sendError(
            { response, protocol },
            'not_found',
            `there is nothing at ${request.method} ${target.path}`,
          ),
        };
    }
  }
}

/** Sends an error in the protocol of the client for a request that could not be read. */
function refuse(response: ServerResponse, { protocol }: Route, error: unknown): Notes {
  const kind = kindOf(error);
  const problem = error instanceof Error ? error.message : String(error);
  const headers: Record<string, string> = kind === 'too_large' ? { connection: 'close' } : {};
  return { kind: 'refused', problem, status: sendError({ response, protocol }, kind, problem, headers) };
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof BadBody) return error.kind;
  // A large body is parsed only when it is read, so an error in it can appear late.
  return error instanceof MalformedRequest || error instanceof SyntaxError ? 'bad_request' : 'internal';
}

function readable(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
