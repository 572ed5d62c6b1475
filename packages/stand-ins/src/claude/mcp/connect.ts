import { isObject, type JsonObject } from '@understudy/kit';
import { type Channel, type Handlers, Peer, ServerError } from '../../shared/mcp/peer.js';

/** The first version without a handshake: each request says who asks. */
const MODERN = '2026-07-28';
const NEWEST = '2025-11-25';
const SUPPORTED = [NEWEST, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a client can do for a server. */
const CAPABILITIES = { roots: { listChanged: true }, elicitation: { form: {}, url: {} } };

/** So long a server may take to say which versions it knows; then it is an old one, which says nothing. */
const PROBE_MS = 3_000;

export interface Connection {
  peer: Peer;
  capabilities: JsonObject;
  info: { name: string; version: string } | undefined;
}

export interface ConnectOptions {
  /** Makes a new way to the server. */
  channel(): Promise<Channel> | Channel;
  handlers: Handlers;
  version: string;
  timeoutMs: number;
  /** Nobody wants it any more. */
  signal: AbortSignal;
  /** A server in the host's program is offered nothing. */
  isOfHost: boolean;
  /** Whether it is asked for its versions. */
  isProbed: boolean;
}

/** Connects to a server, in the version that both know. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { isProbed, timeoutMs, signal } = options;
  let peer: Peer | undefined;
  // Whoever ends it does not wait for the server.
  const stop = (): void => {
    peer?.close().catch(() => {});
  };
  signal.addEventListener('abort', stop);
  const open = async (): Promise<Peer> => {
    if (signal.aborted) throw new ServerError('Connection closed', 'CONNECTION_CLOSED');
    peer = new Peer(await options.channel(), options.handlers);
    await peer.open();
    return peer;
  };
  try {
    let opened = await open();
    if (isProbed) {
      const discovered = await discover(opened, options);
      if (discovered !== undefined) return discovered;
      // Some end when they receive what they do not know.
      if (opened.isClosed) opened = await open();
    }
    return await shakeHands(opened, options, timeoutMs);
  } catch (error) {
    await peer?.close(true).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function discover(peer: Peer, { version, timeoutMs }: ConnectOptions): Promise<Connection | undefined> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': clientInfo(version),
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  };
  let found: JsonObject;
  try {
    found = await peer.request(
      'server/discover',
      { _meta: meta },
      { id: 'server-discover-probe-1', timeoutMs: Math.min(PROBE_MS, timeoutMs), isProbe: true },
    );
  } catch {
    // Whatever goes wrong, it may be a server of an earlier version.
    return undefined;
  }
  const { supportedVersions: versions, capabilities, _meta } = found;
  if (!Array.isArray(versions) || !versions.includes(MODERN)) return undefined;
  peer.meta = meta;
  peer.useVersion(MODERN);
  const offered = isObject(capabilities) ? capabilities : {};
  const told = isObject(_meta) ? _meta['io.modelcontextprotocol/serverInfo'] : undefined;
  return { peer, capabilities: offered, info: infoOf(told) };
}

async function shakeHands(peer: Peer, { version, isOfHost }: ConnectOptions, timeoutMs: number): Promise<Connection> {
  const result = await peer.request(
    'initialize',
    {
      protocolVersion: NEWEST,
      capabilities: isOfHost ? {} : CAPABILITIES,
      clientInfo: clientInfo(version),
    },
    { timeoutMs },
  );
  checkAnswer(result);
  const { protocolVersion, capabilities, serverInfo } = result;
  if (!SUPPORTED.includes(String(protocolVersion)))
    throw new ServerError(`Server's protocol version is not supported: ${protocolVersion}`);
  peer.useVersion(String(protocolVersion));
  await peer.notify('notifications/initialized');
  return { peer, capabilities: capabilities as JsonObject, info: infoOf(serverInfo) };
}

/** What a server has to say of itself. The words are those of the library that the CLI uses. */
function checkAnswer(result: JsonObject): void {
  const wrong = Object.entries({ protocolVersion: 'string', capabilities: 'object', serverInfo: 'object' }).filter(
    ([field, kind]) => kindOf(result[field]) !== kind,
  );
  if (wrong.length === 0) return;
  const problems = wrong.map(([field, expected]) => ({
    expected,
    code: 'invalid_type',
    path: [field],
    message: `Invalid input: expected ${expected}, received ${kindOf(result[field])}`,
  }));
  throw new ServerError(`Invalid result for initialize: ${JSON.stringify(problems, null, 2)}`, 'INVALID_RESULT');
}

/** The kind of a value, as those messages name it. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function clientInfo(version: string): JsonObject {
  return {
    ...{ name: 'claude-code', title: 'Claude Code', version, description: "Anthropic's agentic coding tool" },
    websiteUrl: 'https://claude.com/claude-code',
  };
}

function infoOf(info: unknown): Connection['info'] {
  return isObject(info) ? { name: String(info['name']), version: String(info['version']) } : undefined;
}
