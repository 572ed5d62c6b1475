import { defined, isObject, type JsonObject, parseJson } from '@understudy/kit';
import { type Channel, type ChannelEnds, ServerError } from './peer.js';

export interface ServerAddress {
  url: string;
  headers: JsonObject;
  version: string;
}

const STREAM = 'text/event-stream';
const OF_MESSAGE = { 'content-type': 'application/json', accept: `application/json, ${STREAM}` };
/** The first version in which a request names itself in its headers. */
const MODERN = '2026-07-28';
/** One event is no longer than this. */
const LONGEST_EVENT = 64 * 1024 * 1024;
/** What a server says in place of an answer is shown no longer than this. */
const LONGEST_WORDS = 2_000;

/** Nobody listens there, or not to messages. */
export class NoEndpoint extends ServerError {
  constructor(url: string) {
    super(`MCP endpoint not found at ${new URL(url).origin}. Check the URL in your MCP config.`);
  }
}

/** A server behind an address: each message is a request of its own. */
export class WebChannel implements Channel {
  readonly #address: ServerAddress;
  readonly #closing = new AbortController();
  #ends: ChannelEnds | undefined;
  #version: string | undefined;
  #session: string | undefined;

  constructor(address: ServerAddress) {
    this.#address = address;
  }

  async open(ends: ChannelEnds): Promise<void> {
    this.#ends = ends;
  }

  useVersion(version: string): void {
    this.#version = version;
  }

  async send(message: JsonObject): Promise<void> {
    const response = await this.#fetch('POST', {
      headers: { ...OF_MESSAGE, ...ofModern(message) },
      body: JSON.stringify(message),
    });
    if (message['method'] === 'initialize') this.#session = response.headers.get('mcp-session-id') ?? undefined;
    if (!response.ok) throw await refusalOf(response, this.#address.url);
    if (message['id'] === undefined || message['method'] === undefined) {
      await response.body?.cancel();
      if (message['method'] === 'notifications/initialized') this.#listen();
      return;
    }
    const type = response.headers.get('content-type') ?? '';
    const ended = (): void => this.#ends?.lost(message['id'] as string | number);
    if (type.includes(STREAM)) {
      // The answer may be long in coming: nobody waits for the end of the stream.
      readEvents(response, (_, data) => this.#received(data)).then(ended, ended);
    } else if (type.includes('application/json')) {
      this.#received(await response.text());
      ended();
    } else throw new ServerError(`Unexpected content type: ${type}`, 'CLIENT_HTTP_UNEXPECTED_CONTENT');
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** What the server says of its own accord comes on a stream, if it has one. */
  #listen(): void {
    this.#fetch('GET', { headers: { accept: STREAM } })
      .then((response) => (response.ok ? readEvents(response, (_, data) => this.#received(data)) : undefined))
      .catch(() => {});
  }

  #fetch(method: string, { headers, body }: { headers: Record<string, string>; body?: string }): Promise<Response> {
    const own = defined({ 'mcp-protocol-version': this.#version, 'mcp-session-id': this.#session });
    const all = { ...headersOf(this.#address), ...own, ...headers };
    return request(this.#address.url, { method, headers: all, signal: this.#closing.signal, ...defined({ body }) });
  }

  #received(text: string): void {
    for (const message of messagesIn(text)) this.#ends?.received(message);
  }
}

/** The older way: the server speaks on a stream, and is spoken to at an address that it names there. */
export class EventChannel implements Channel {
  readonly #address: ServerAddress;
  readonly #closing = new AbortController();
  #endpoint: string | undefined;
  #version: string | undefined;

  constructor(address: ServerAddress) {
    this.#address = address;
  }

  useVersion(version: string): void {
    this.#version = version;
  }

  async open(ends: ChannelEnds): Promise<void> {
    const { url } = this.#address;
    const response = await request(
      url,
      { headers: { ...headersOf(this.#address), accept: STREAM }, signal: this.#closing.signal },
      'SSE error: ',
    );
    if (!response.ok)
      throw new ServerError(`SSE error: Non-200 status code (${response.status})`, `HTTP ${response.status}`);
    if (!(response.headers.get('content-type') ?? '').includes(STREAM))
      throw new ServerError(`SSE error: Invalid content type, expected "${STREAM}"`, `HTTP ${response.status}`);
    await new Promise<void>((resolve, reject) => {
      const ended = (): void => {
        reject(new ServerError('Connection closed', 'CONNECTION_CLOSED'));
        ends.closed();
      };
      readEvents(response, (event, data) => {
        if (event === 'endpoint') {
          this.#endpoint = new URL(data, url).href;
          resolve();
        } else for (const message of messagesIn(data)) ends.received(message);
      }).then(ended, ended);
    });
  }

  async send(message: JsonObject): Promise<void> {
    const response = await request(this.#endpoint ?? this.#address.url, {
      method: 'POST',
      headers: {
        ...headersOf(this.#address),
        ...OF_MESSAGE,
        ...defined({ 'mcp-protocol-version': this.#version }),
      },
      body: JSON.stringify(message),
      signal: this.#closing.signal,
    });
    if (!response.ok) throw await refusalOf(response, this.#address.url);
    await response.body?.cancel();
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

function headersOf({ headers, version }: ServerAddress): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { 'user-agent': `claude-code/${version} (sdk-cli)`, ...Object.fromEntries(own) };
}

/** A request of the newer kind says in its headers what it is, for whoever passes it on. */
function ofModern({ method, params }: JsonObject): Record<string, string> {
  const meta = isObject(params) ? params['_meta'] : undefined;
  if (!isObject(meta) || meta['io.modelcontextprotocol/protocolVersion'] !== MODERN || !isObject(params)) return {};
  const { name, uri } = params;
  const subject = typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined;
  return { 'mcp-method': String(method), 'mcp-protocol-version': MODERN, ...defined({ 'mcp-name': subject }) };
}

async function request(url: string, init: RequestInit, prefix = ''): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new ServerError(`${prefix}ECONNREFUSED: Unable to connect. Is the computer able to access the url?`);
  }
}

async function refusalOf(response: Response, url: string): Promise<ServerError> {
  const { status } = response;
  const said = (await response.text().catch(() => '')).slice(0, LONGEST_WORDS);
  if (status === 401 || status === 403) return new ServerError('Unauthorized', 'UNAUTHORIZED');
  if (status === 404) return new NoEndpoint(url);
  return new ServerError(`Error POSTing to endpoint: ${said}`, `HTTP ${status}`);
}

function messagesIn(text: string): JsonObject[] {
  const found = parseJson(text);
  return (Array.isArray(found) ? found : [found]).filter(isObject);
}

/** Reads server-sent events until the stream ends. */
async function readEvents(response: Response, onEvent: (event: string, data: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    if (rest.length > LONGEST_EVENT) throw new ServerError('an event of the server has no end');
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const valuesOf = (field: string): string[] =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
      onEvent(valuesOf('event').at(-1) ?? 'message', valuesOf('data').join('\n'));
    }
  }
}
