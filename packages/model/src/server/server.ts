import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  checkJsonDepth,
  defined,
  freshSecret,
  isLoopback,
  letProcessEnd,
  listen,
  originOf,
  RequestGuard,
  type RequestRefusal,
  refuseGarbage,
  UnderstudyError,
} from '@understudy/kit';
import { type Scenario, Script, type ScriptUsage, USUAL_RETRIES } from '@understudy/script';
import type { Answerer } from './answerer.js';
import { type AskedBy, type Asker, describeAsker } from './asker.js';
import { clientKeys, tagOf, untaggedKey } from './client-keys.js';
import type { ServedClient } from './clients/client.js';
import { CONTROL_PATH, Control } from './control.js';
import { ModelConversations } from './conversations.js';
import { sendError, sendJson } from './delivery.js';
import { embeddingsOf } from './embeddings.js';
import type { AgentEnvironment, EnvironmentOptions, RealModelSettings } from './environment.js';
import { Journal, type JournalEntry, type JournalOptions, redactedHeaders, redactedPath } from './journal.js';
import { modelList } from './models.js';
import { decoded, parsed, RefusedRequest, readBody } from './request-body.js';
import { type Notes, type OnHook, Responder, type ResponderOptions } from './responder.js';
import { type Route, route, unplayed } from './router.js';
import { estimateTokens } from './wire/pieces.js';
import { type ErrorKind, MalformedRequest } from './wire/protocol.js';

export interface ModelServerOptions {
  /** A scenario, or a script that is shared with others. */
  scenario?: Scenario;
  script?: Script;
  /** The CLIs that it knows. All others are programs that use a client library. */
  clients?: readonly ServedClient[];
  /** Is asked before the script: it plays a cassette, or asks a real model. */
  answerer?: Answerer;
  /** What CLIs need that ask for their own model. Absent: they ask for the scripted one. */
  real?: RealModelSettings;
  /** Default: 0, which means any free port. */
  port?: number;
  /** `127.0.0.1`, unless given. Another address than loopback needs `allowRemote`. */
  host?: string;
  /** Other machines may reach the server. They need the key, too. */
  allowRemote?: boolean;
  /** More names under which clients reach the server, besides its address. */
  hosts?: readonly string[];
  /** What clients must send as their API key: at least 16 characters. By default a random one is made. */
  key?: string;
  /** A file for the journal (JSON lines), and how much is kept. */
  journal?: JournalOptions;
  /** A hook has asked the model, and this was said. */
  onHook?: OnHook;
  /** The agent that alone is to use it, for messages about others. */
  agent?: string;
  /** `false` sends the problem as the answer if no rule matches, instead of an error. */
  strict?: boolean;
  /** Maximum size of a request body, in bytes. */
  bodyLimit?: number;
  /** Who has this token may steer the server below `/_understudy`. Without it, nobody may. */
  controlToken?: string;
}

/** The maximum of Anthropic's API. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** Starts a model API that answers from a scenario. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const script = options.script ?? scriptOf(options);
  if (script === undefined) {
    throw new UnderstudyError('SCENARIO_MISSING', 'the model server has no scenario', {
      fix: 'Give `scenario` (see loadScenario and defineScenario) or `script`.',
    });
  }
  const server = new ModelServer(script, options);
  await server.listen();
  return server;
}

function scriptOf({ scenario, answerer }: ModelServerOptions): Script | undefined {
  if (scenario !== undefined) return new Script(scenario);
  return answerer === undefined ? undefined : new Script({ document: { responses: [] }, warnings: [] });
}

/** A script, played as a model API. */
export class ModelServer {
  /** What clients must send as their API key. */
  readonly key: string;
  readonly journal: Journal;
  readonly #host: string;
  readonly #bodyLimit: number;
  readonly #responderOptions: ResponderOptions;
  readonly #control: Control | undefined;
  /** Set if clients ask for their own model. */
  readonly real: RealModelSettings | undefined;
  readonly #answerer: Answerer | undefined;
  readonly #clients: readonly ServedClient[];
  readonly #guard: RequestGuard;
  readonly #http: Server;
  readonly #finders: ((port: number) => Asker | undefined)[] = [];
  #askedBy: AskedBy = 'agent';
  #script: Script;
  #conversations: ModelConversations;
  #responder: Responder;
  #port: number;
  #closed = false;
  #reopening: NodeJS.Timeout | undefined;

  constructor(script: Script, options: ModelServerOptions) {
    const { host = '127.0.0.1', port = 0, hosts = [], key = freshSecret('sk-understudy-') } = options;
    if (options.allowRemote !== true && !isLoopback(host)) throw remoteNotAllowed(host);
    this.key = key;
    this.#guard = new RequestGuard({
      ...{
        host,
        hosts,
        key,
        keysOf: (request) => clientKeys(request).flatMap((key) => [key, untaggedKey(key)]),
        keyName: 'the key of the model server',
      },
      keyHint: 'send the API key that `understudy serve` printed, or `server.key`',
    });
    this.journal = new Journal(options.journal);
    this.#answerer = options.answerer;
    this.#clients = options.clients ?? [];
    this.real = options.real;
    this.#host = host;
    this.#port = port;
    this.#bodyLimit = options.bodyLimit ?? BODY_LIMIT;
    const { controlToken: token } = options;
    this.#control = token === undefined ? undefined : new Control({ host, hosts, token, bodyLimit: this.#bodyLimit });
    const { strict = true, onHook, agent, clients = [] } = options;
    this.#responderOptions = { strict, clients, refuse: (ms) => this.#refuseConnections(ms), onHook, agent };
    this.#script = script;
    this.#conversations = new ModelConversations(script);
    this.#responder = new Responder(script, this.#conversations, this.#responderOptions);
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch(() => response.destroy());
    });
    this.#http.requestTimeout = 0;
    this.#http.keepAliveTimeout = 60_000;
    refuseGarbage(this.#http);
    letProcessEnd(this.#http);
  }

  get script(): Script {
    return this.#script;
  }

  /** How often a CLI may repeat a failed request. Undefined for a real model: it may be busy, and the CLI knows how often. */
  retriesOf(agent: string): number | undefined {
    if (this.real !== undefined) return undefined;
    return this.#client(agent).retries?.(this.#script.scenario.document) ?? USUAL_RETRIES;
  }

  get conversations(): ModelConversations {
    return this.#conversations;
  }

  /** Answers from another scenario from now on. Conversations begin anew; the journal goes on. */
  playScenario(scenario: Scenario): void {
    this.#begin(new Script(scenario));
  }

  /** Goes back to the beginning: no conversation, no rule used, an empty journal. */
  reset(): void {
    this.#script.usage.reset();
    this.#begin(this.#script);
    this.journal.clear();
  }

  #begin(script: Script): void {
    this.#script = script;
    this.#conversations = new ModelConversations(script);
    this.#responder = new Responder(script, this.#conversations, this.#responderOptions);
  }

  /** The base URL for clients: `http://127.0.0.1:PORT`. */
  get url(): string {
    return originOf({ host: this.#host, port: this.#port });
  }

  get port(): number {
    return this.#port;
  }

  /** What points a CLI at this server: variables, files and arguments, with the key in them. */
  environment(agent: string, options?: EnvironmentOptions): AgentEnvironment {
    return this.#client(agent).environment(this, { ...options, real: this.real });
  }

  #client(agent: string): ServedClient {
    const client = this.#clients.find(({ name }) => name === agent);
    if (client === undefined) throw new TypeError(`the server has no client named "${agent}"`);
    return client;
  }

  /** What was used of the script or the cassette, and what had no answer. */
  usage(): ScriptUsage {
    const { usage } = this.script;
    const own = { unused: usage.unused(), unmatched: usage.unmatched };
    const other = this.#answerer?.usage();
    return other === undefined
      ? own
      : { unused: [...other.unused, ...own.unused], unmatched: [...other.unmatched, ...own.unmatched] };
  }

  /** Where the process is known that a connection comes from, by its port. Then only agents are answered, unless anybody may ask. */
  knowAskers(find: (port: number) => Asker | undefined, askedBy: AskedBy = 'agent'): void {
    this.#finders.push(find);
    this.#askedBy = askedBy;
  }

  /** Opens the port. `startModelServer` calls this. */
  async listen(): Promise<void> {
    this.#port = await listen(this.#http, { host: this.#host, port: this.#port });
  }

  /** The program goes on until the server is closed, as with a server of Node; without this, it may end before. */
  ref(): void {
    this.#http.ref();
  }

  /** Ends the server and all its connections. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#reopening);
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
    await this.#answerer?.close?.();
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
    if (this.#control !== undefined && url.startsWith(`${CONTROL_PATH}/`)) {
      await this.#control.handle(request, response, this);
      return;
    }
    const number = this.journal.nextNumber();
    const asked = route(method, url, headers);
    const asker = this.#askerOf(request);
    let body: Buffer | undefined;
    let notes: Notes;
    let cut = false;
    const { requestIdHeader } = asked.protocol;
    if (requestIdHeader !== undefined) response.setHeader(requestIdHeader, `req_understudy_${number}`);
    response.once('close', () => {
      cut = !response.writableFinished;
    });
    try {
      const refusal = this.#refusalOf(request, asked, asker);
      if (refusal !== undefined) throw new RefusedRequest(REFUSAL_KINDS[refusal.status], refusal.message);
      body = decoded(await readBody(request, this.#bodyLimit), request.headers['content-encoding'], this.#bodyLimit);
      notes = await this.#answer(request, response, asked, body);
    } catch (error) {
      notes = refuse(request, response, asked, error);
    }
    if (this.#closed) return;
    if (cut) notes.incomplete = true;
    const milliseconds = Math.round((performance.now() - started) * 1000) / 1000;
    const facts = {
      number,
      milliseconds,
      method,
      path: redactedPath(url),
      protocol: asked.protocol.name,
      ...defined({ asker }),
    };
    const entry = journalEntry({ ...facts, status: response.statusCode, ...notes }, headers, body);
    this.journal.add(entry, (body?.length ?? 0) + (notes.answer?.text.length ?? 0));
  }

  /** Whether the server is alive may be asked without a key: Claude Code does it first. */
  #refusalOf(request: IncomingMessage, { want }: Route, asker: Asker | undefined): RequestRefusal | undefined {
    const stranger = this.#guard.refuseStranger(request.headers);
    if (stranger !== undefined || want === 'alive' || want === 'unknown') return stranger;
    return this.#guard.refuseWithoutKey(request) ?? this.#refuseOthers(request, asker);
  }

  /** Whoever has the key and is not the agent. The program of a `run` step may ask itself: its key has no call. */
  #refuseOthers(request: IncomingMessage, asker: Asker | undefined): RequestRefusal | undefined {
    if (asker?.role !== 'other' || this.#askedBy === 'any') return undefined;
    const tag = tagOf(request);
    if (tag !== undefined && tag.call === undefined) return undefined;
    return { status: 403, message: `only the agent is answered here, and ${describeAsker(asker)} asked` };
  }

  #askerOf({ socket: { remotePort } }: IncomingMessage): Asker | undefined {
    if (remotePort === undefined) return undefined;
    for (const find of this.#finders) {
      const asker = find(remotePort);
      if (asker !== undefined) return asker;
    }
    return undefined;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, asked: Route, body: Buffer): Promise<Notes> {
    const { want, protocol, target } = asked;
    if (want !== 'alive') {
      const notes = await this.#answerer?.answer({ request, response, route: asked, body, clients: this.#clients });
      if (notes !== undefined) return notes;
    }
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
      case 'embeddings':
        sendJson(response, 200, embeddingsOf(parsed(body)));
        return { kind: 'auxiliary', auxiliary: 'embeddings' };
      case 'alive':
        sendJson(response, 200, { understudy: 'model server', requests: this.journal.count });
        return { kind: 'probe' };
      case 'unknown':
        return {
          kind: 'refused',
          status: sendError(
            { response, protocol },
            'not_found',
            unplayed(target.path) ?? `there is nothing at ${request.method} ${target.path}`,
          ),
        };
    }
  }
}

/**
 * What the journal keeps of a request. Headers and body are read again by whoever asks for them. (In a function of its
 * own, because what is kept of the request keeps everything that is captured beside it: its connection, its answer.)
 */
function journalEntry(
  notes: Notes & Pick<JournalEntry, 'number' | 'milliseconds' | 'method' | 'path' | 'status'>,
  headers: IncomingHttpHeaders,
  body: Buffer | undefined,
): JournalEntry {
  return {
    at: new Date().toISOString(),
    kind: 'probe',
    ...notes,
    get headers() {
      return redactedHeaders(headers);
    },
    get body() {
      return readable(body);
    },
  };
}

/** Sends a client, in its own protocol, the error that we could not take its request. */
function refuse(request: IncomingMessage, response: ServerResponse, { protocol }: Route, error: unknown): Notes {
  const kind = kindOf(error);
  const problem = error instanceof Error ? error.message : String(error);
  const headers: Record<string, string> = request.complete ? {} : { connection: 'close' };
  request.resume();
  return { kind: 'refused', problem, status: sendError({ response, protocol }, kind, problem, headers) };
}

const REFUSAL_KINDS = {
  401: 'auth',
  403: 'forbidden',
  415: 'unsupported_media_type',
} as const satisfies Record<RequestRefusal['status'], ErrorKind>;

function remoteNotAllowed(host: string): UnderstudyError {
  return new UnderstudyError('LISTEN_REMOTE', `on ${JSON.stringify(host)} other machines could reach the server`, {
    fix: 'Listen on 127.0.0.1, or allow it: --allow-remote, or `allowRemote: true` in code.',
  });
}

function kindOf(error: unknown): ErrorKind {
  if (error instanceof RefusedRequest) return error.kind;
  // A large body is parsed where it is looked at, so that a mistake in it may show late.
  return error instanceof MalformedRequest || error instanceof SyntaxError ? 'bad_request' : 'internal';
}

/** A body for the journal: as text where it is not JSON, or nested too deeply to be written again. */
function readable(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  try {
    checkJsonDepth(body);
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
