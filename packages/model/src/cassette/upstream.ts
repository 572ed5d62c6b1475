import type { IncomingHttpHeaders } from 'node:http';
import { UnderstudyError } from '@understudy/kit';
import type { ServedClient, Upstream } from '../server/clients/client.js';
import type { ProtocolName } from '../server/wire/protocol.js';

/** What a request brings to sign in; it is for us, not for the real API. */
const LOGIN_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'proxy-authorization'];
const HOP_HEADERS = [
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'te', 'upgrade'],
  ...['accept-encoding', 'expect', 'trailer', 'proxy-connection'],
];

/** The real APIs that the environment leads to. */
export class Upstreams {
  readonly #named: ReadonlyMap<string, Upstream>;

  constructor(named: ReadonlyMap<string, Upstream>) {
    this.#named = named;
  }

  /** Reads addresses and keys from the environment: only here, and only for a recording of the real model. */
  static of(environment: NodeJS.ProcessEnv, clients: readonly ServedClient[] = []): Upstreams {
    const named = new Map<string, Upstream>();
    const add = (name: string, upstream: Upstream | undefined) => {
      if (upstream !== undefined) named.set(name, upstream);
    };
    add('anthropic', anthropic(environment));
    add('bedrock', bedrock(environment));
    add('vertex', vertex(environment));
    add('openai', openai(environment));
    add('gemini', gemini(environment));
    for (const { apis } of clients)
      for (const [name, upstream] of apis?.upstreams(environment) ?? []) named.set(name, upstream);
    return new Upstreams(named);
  }

  /** The same APIs, with keys that none of them accepts. */
  withInvalidKeys(): Upstreams {
    const withInvalidLogin = (login: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(login).map(([name, value]) => {
          if (name === 'authorization') return [name, 'Bearer sk-fake'];
          return [name, LOGIN_HEADERS.includes(name) ? 'sk-ant-fake' : value];
        }),
      );
    return new Upstreams(
      new Map(
        [...this.#named].map(([name, { login, ...upstream }]) => [
          name,
          { ...upstream, ...(login === undefined ? {} : { login: withInvalidLogin(login) }) },
        ]),
      ),
    );
  }

  get names(): string[] {
    return [...this.#named.keys()];
  }

  get(name: string): Upstream | undefined {
    return this.#named.get(name);
  }

  /** Where a request goes, and its path there. The path begins with `/to/NAME`, or the protocol decides. */
  find(
    url: string,
    protocol: ProtocolName,
    cloud: 'bedrock' | 'vertex' | undefined,
  ): { upstream: Upstream; path: string } {
    const [, prefix, rest = ''] = /^\/to\/([^/]+)(\/.*)?$/.exec(url) ?? [];
    const name = prefix === undefined ? (cloud ?? VENDORS[protocol]) : decodeURIComponent(prefix);
    const upstream = this.#named.get(name);
    if (upstream === undefined) throw noUpstream(name, this.names);
    const path = prefix === undefined ? url : rest;
    const { localPath } = upstream;
    return { upstream, path: path.startsWith(localPath) ? path.slice(localPath.length) : path };
  }
}

const VENDORS: Record<ProtocolName, string> = {
  'anthropic-messages': 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
};

/** The headers for the real API: those of the client, with our key replaced by the real one. */
export function forwardedHeaders(headers: IncomingHttpHeaders, { login }: Upstream): Record<string, string> {
  const dropped = [...HOP_HEADERS, ...(login === undefined ? [] : LOGIN_HEADERS)];
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.includes(name)) forwarded[name] = String(value);
  }
  const beta = [forwarded['anthropic-beta'], login?.['anthropic-beta']].filter((value) => value !== undefined);
  return {
    ...forwarded,
    ...login,
    ...(beta.length === 0 ? {} : { 'anthropic-beta': beta.join(',') }),
    // An answer that is not packed can be read as it comes.
    'accept-encoding': 'identity',
  };
}

/** An address without the key that Google's clients put into it. */
export function withoutKey(path: string): string {
  const cut = path.indexOf('?');
  if (cut === -1) return path;
  const query = new URLSearchParams(path.slice(cut));
  query.delete('key');
  const rest = query.toString();
  return rest === '' ? path.slice(0, cut) : `${path.slice(0, cut)}?${rest}`;
}

function anthropic(env: NodeJS.ProcessEnv): Upstream | undefined {
  const baseUrl = trimmed(env['ANTHROPIC_BASE_URL'], 'https://api.anthropic.com');
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token, CLAUDE_CODE_OAUTH_TOKEN: oauth } = env;
  if (key) return { baseUrl, login: { 'x-api-key': key }, localPath: '' };
  if (token) return { baseUrl, login: bearer(token), localPath: '' };
  if (oauth) return { baseUrl, login: { ...bearer(oauth), 'anthropic-beta': 'oauth-2025-04-20' }, localPath: '' };
  return undefined;
}

function bedrock(env: NodeJS.ProcessEnv): Upstream | undefined {
  const { AWS_BEARER_TOKEN_BEDROCK: token, AWS_REGION: region = 'us-east-1' } = env;
  if (!token) return undefined;
  const baseUrl = trimmed(env['ANTHROPIC_BEDROCK_BASE_URL'], `https://bedrock-runtime.${region}.amazonaws.com`);
  return { baseUrl, login: bearer(token), localPath: '' };
}

/** Claude Code fetches a token for Vertex by itself. */
function vertex(env: NodeJS.ProcessEnv): Upstream | undefined {
  if (!env['CLAUDE_CODE_USE_VERTEX']) return undefined;
  const region = env['CLOUD_ML_REGION'] ?? 'us-east5';
  const host = region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;
  return { baseUrl: trimmed(env['ANTHROPIC_VERTEX_BASE_URL'], `https://${host}/v1`), localPath: '/v1' };
}

function openai(env: NodeJS.ProcessEnv): Upstream | undefined {
  const key = env['OPENAI_API_KEY'] || env['CODEX_API_KEY'];
  if (!key) return undefined;
  const baseUrl = trimmed(env['OPENAI_BASE_URL'], 'https://api.openai.com/v1');
  return { baseUrl, login: bearer(key), localPath: '/v1' };
}

function gemini(env: NodeJS.ProcessEnv): Upstream | undefined {
  const key = env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'];
  if (!key) return undefined;
  const baseUrl = trimmed(env['GOOGLE_GEMINI_BASE_URL'], 'https://generativelanguage.googleapis.com');
  return { baseUrl, login: { 'x-goog-api-key': key }, localPath: '' };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function trimmed(url: string | undefined, usual: string): string {
  return (url || usual).replace(/\/+$/, '');
}

function noUpstream(name: string, names: readonly string[]): UnderstudyError {
  const known = names.length === 0 ? 'there are no keys in the environment' : `there are keys for ${names.join(', ')}`;
  return new UnderstudyError(
    'RECORD_NO_UPSTREAM',
    `the recorder does not know where to send a request for ${name}: ${known}`,
    {
      fix: 'Set the key of this API, such as ANTHROPIC_API_KEY, and its address if it is not the usual one.',
    },
  );
}
