import { defined, isObject, type JsonObject } from '@understudy/kit';

/** A way to a server, on which messages go and come. */
export interface Channel {
  open(ends: ChannelEnds): Promise<void>;
  send(message: JsonObject): Promise<void>;
  /** A peer with which nothing was agreed is left more gently. */
  close(gently?: boolean): Promise<void>;
  /** Sets the version on which both have agreed, where messages do not say it. */
  useVersion?(version: string): void;
}

/** What a channel reports. */
export interface ChannelEnds {
  received(message: JsonObject): void;
  /** The answer to a request will not come any more. */
  lost(id: string | number): void;
  closed(): void;
}

/** Why a server cannot be used: with the code that the CLI shows before the words. */
export class ServerError extends Error {
  /** Servers read it as the reason why nothing waits any more. */
  override readonly name = 'SdkError';
  readonly code: string | number | undefined;

  constructor(message: string, code?: string | number) {
    super(message);
    this.code = code;
  }
}

export interface RequestOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  /** In place of the next number. */
  id?: string;
  /** No message says that the answer is no longer waited for. */
  isProbe?: true;
  /** The server may report how far it is. */
  wantsProgress?: true;
}

/** Answers a request of the server. What is not a function of its own is refused. */
export type Handlers = Record<string, (params: JsonObject) => Promise<unknown> | unknown>;

interface Waiting {
  settle(result: JsonObject): void;
  fail(error: Error): void;
}

/** Our end of a connection: JSON-RPC 2.0, as MCP uses it. */
export class Peer {
  /** What each request has to say of the client, on servers that know no handshake. */
  meta: JsonObject | undefined;
  readonly #channel: Channel;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<string | number, Waiting>();
  #next = 0;
  #isClosed = false;

  constructor(channel: Channel, handlers: Handlers) {
    this.#channel = channel;
    this.#handlers = handlers;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  open(): Promise<void> {
    return this.#channel.open({
      received: (message) => this.#receive(message),
      lost: (id) => this.#waiting.get(id)?.fail(closed()),
      closed: () => this.#end(),
    });
  }

  useVersion(version: string): void {
    this.#channel.useVersion?.(version);
  }

  /** Asks, and waits for the result. */
  async request(method: string, params?: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const { timeoutMs, signal } = options;
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const id = options.id ?? this.#next++;
    const answer = new Promise<JsonObject>((settle, fail) => this.#waiting.set(id, { settle, fail }));
    const fail = (error: Error): void => this.#waiting.get(id)?.fail(error);
    const stop = (error: Error): void => {
      if (!options.isProbe)
        this.notify('notifications/cancelled', { requestId: id, reason: String(error) }).catch(() => {});
      fail(error);
    };
    const abort = (): void => stop(signal?.reason as Error);
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => stop(new ServerError('Request timed out')), timeoutMs);
    signal?.addEventListener('abort', abort);
    const full = this.#withMeta(params, options.wantsProgress === true ? { progressToken: id } : {});
    this.#channel.send({ method, ...defined({ params: full }), jsonrpc: '2.0', id }).catch(fail);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(id);
    }
  }

  async notify(method: string, params?: JsonObject): Promise<void> {
    if (!this.#isClosed) await this.#channel.send({ jsonrpc: '2.0', method, ...defined({ params }) });
  }

  async close(gently = false): Promise<void> {
    await this.#channel.close(gently);
    this.#end();
  }

  #withMeta(params: JsonObject | undefined, more: JsonObject): JsonObject | undefined {
    const own = params?.['_meta'];
    const meta = { ...this.meta, ...(isObject(own) ? own : {}), ...more };
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  #end(): void {
    this.#isClosed = true;
    for (const { fail } of [...this.#waiting.values()]) fail(closed());
  }

  #receive(message: JsonObject): void {
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      this.#received(method, isObject(params) ? params : {}, id as string | number | undefined).catch(() => {});
      return;
    }
    const waiting = this.#waiting.get(id as string | number);
    if (isObject(error)) waiting?.fail(new ServerError(String(error['message']), Number(error['code'])));
    else waiting?.settle(isObject(result) ? result : {});
  }

  /** What the server asks or reports. */
  async #received(method: string, params: JsonObject, id: string | number | undefined): Promise<void> {
    const handler = Object.hasOwn(this.#handlers, method) ? this.#handlers[method] : undefined;
    if (id === undefined) {
      await handler?.(params);
      return;
    }
    if (handler === undefined) {
      await this.#channel.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
      return;
    }
    await this.#channel.send({ result: await handler(params), jsonrpc: '2.0', id });
  }
}

function closed(): ServerError {
  return new ServerError('Connection closed', 'CONNECTION_CLOSED');
}
