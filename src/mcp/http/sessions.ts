import { randomBytes } from 'node:crypto';
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { runAllSteps, waitForAll } from '@understudy/kit';
import type { HarnessOptions } from '../harness/harness.js';
import { type HarnessHolder, holdHarness } from '../harness-holder.js';
import { BODY_LIMIT } from './node-bridge.js';
import { rpcError } from './rpc-error.js';

export interface SessionLimits {
  /** Clients at once. */
  sessions: number;
  /** A client without a connection and without a request for this long has left: its session is ended. */
  idleMs: number;
  /** A client whose last stream broke off may come back within this time. */
  graceMs: number;
}

/** What the clients of one server have in common. */
export interface ServedClients {
  /** The options for one client. What belongs to it goes into folders with its name. */
  harnessFor: (client: string) => HarnessOptions;
  build: (holder: HarnessHolder) => McpServer;
  limits: SessionLimits;
}

export const defaultSessionLimits: SessionLimits = { sessions: 32, idleMs: 10 * 60_000, graceMs: 60_000 };

interface Session {
  holder: HarnessHolder;
  transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  lastRequest: number;
  /** Requests that are being answered, streams included. */
  open: number;
  /** It had a stream of its own for messages: when that ends, the client has probably gone. */
  hadStream: boolean;
}

/** Clients of the revisions with sessions: each has a server and a harness of its own. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #served: ServedClients;
  readonly #limits: SessionLimits;
  readonly #watch: NodeJS.Timeout;
  /** Sessions that are being made and are not in the list yet. */
  readonly #starting = new Set<Session>();

  constructor(served: ServedClients) {
    const { limits } = served;
    this.#served = served;
    this.#limits = limits;
    const interval = Math.max(50, Math.min(10_000, limits.graceMs / 2, limits.idleMs / 2));
    this.#watch = setInterval(() => this.#endIdle(), interval);
    this.#watch.unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  async handle(request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      // The protocol's word for it: the client then begins a new session.
      if (session === undefined) return rpcError(404, -32001, 'there is no such session; initialize again');
      return this.#handleIn(session, request, parsedBody);
    }
    if (request.method !== 'POST' || !isInitialize(parsedBody)) {
      return rpcError(400, -32000, 'there is no session: send initialize first, and its mcp-session-id from then on');
    }
    if (this.#isFull()) this.#endQuietest();
    if (this.#isFull()) return this.#noSlot();
    const session = this.#makeSession();
    try {
      await this.#served.build(session.holder).connect(session.transport);
      return await this.#handleIn(session, request, parsedBody);
    } finally {
      this.#starting.delete(session);
    }
  }

  async close(reason: string): Promise<void> {
    clearInterval(this.#watch);
    await waitForAll([...this.#sessions.keys()].map((id) => this.#end(id, reason)));
  }

  #makeSession(): Session {
    const holder = holdHarness(this.#served.harnessFor(`session-${randomBytes(6).toString('hex')}`));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(24).toString('base64url'),
      maxRequestBodySize: BODY_LIMIT,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
        this.#starting.delete(session);
      },
      onsessionclosed: (id) => this.#end(id, 'the client ended its session'),
    });
    const session: Session = { holder, transport, lastUsed: 0, lastRequest: 0, open: 0, hadStream: false };
    this.#starting.add(session);
    return session;
  }

  async #handleIn(session: Session, request: Request, parsedBody: unknown): Promise<Response> {
    session.open++;
    session.lastUsed = Date.now();
    session.lastRequest = session.lastUsed;
    const isStream = request.method === 'GET';
    const answer = await session.transport.handleRequest(
      request,
      request.method === 'POST' ? { parsedBody } : undefined,
    );
    if (isStream && answer.status === 200) session.hadStream = true;
    const done = () => {
      session.open--;
      session.lastUsed = Date.now();
    };
    return watched(answer, done);
  }

  #endIdle(): void {
    const now = Date.now();
    for (const [id, { open, hadStream, lastUsed, holder }] of this.#sessions) {
      if (open > 0 || isBusy(holder)) continue;
      const idle = now - lastUsed;
      const left = hadStream && idle >= this.#limits.graceMs;
      if (!left && idle < this.#limits.idleMs) continue;
      // Its client is not there to receive the error, and other clients must not suffer from it.
      this.#end(id, left ? 'the client left' : 'the session was idle').catch(() => {});
    }
  }

  #isFull(): boolean {
    return this.#sessions.size + this.#starting.size >= this.#limits.sessions;
  }

  /** Makes room where there is none: a client that is connected and asks for nothing has had its time, too. */
  #endQuietest(): void {
    const [quietest] = [...this.#sessions]
      .filter(([, { holder }]) => !isBusy(holder))
      .sort(([, a], [, b]) => a.lastRequest - b.lastRequest);
    if (quietest === undefined || Date.now() - quietest[1].lastRequest < this.#limits.idleMs) return;
    this.#end(quietest[0], 'it was idle, and another client needed its slot').catch(() => {});
  }

  #noSlot(): Response {
    const { sessions: limit, idleMs } = this.#limits;
    const last = Math.min(...[...this.#sessions.values()].map(({ lastRequest }) => lastRequest));
    const seconds = Math.max(1, Math.ceil((last + idleMs - Date.now()) / 1000));
    const message = `all ${limit} session slots are in use; one becomes free when a client ends its session, or was idle for ${idleMs / 60_000} minutes`;
    const answer = rpcError(503, -32000, message, {
      slots: { limit, used: this.#sessions.size },
      retry_after_seconds: seconds,
    });
    answer.headers.set('retry-after', String(seconds));
    return answer;
  }

  async #end(id: string, reason: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    await runAllSteps([() => session.holder.close(reason), () => session.transport.close()]);
  }
}

/** An agent of this client is working, also when nobody asks for it at the moment. */
export function isBusy(holder: HarnessHolder): boolean {
  return holder.peek()?.conversations.living.some(({ running }) => running !== undefined) ?? false;
}

function isInitialize(body: unknown): boolean {
  return isInitializeRequest(body) || (Array.isArray(body) && body.some((message) => isInitializeRequest(message)));
}

/** The answer, and a call when it has been sent or the client has gone. */
function watched(answer: Response, done: () => void): Response {
  if (answer.body === null) {
    done();
    return answer;
  }
  let finished = false;
  const finish = () => {
    if (!finished) done();
    finished = true;
  };
  const reader = answer.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: ended, value } = await reader.read();
        if (!ended) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      finish();
    },
    async cancel(reason) {
      finish();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}
