import type { IncomingHttpHeaders } from 'node:http';
import { defined, isObject, type JsonObject, parseJson, UnderstudyError } from '@understudy/kit';
import type { ProtocolName } from '../server/wire/protocol.js';

/** A real API, and how one signs in to it. */
export interface Upstream {
  /** Its address; paths of requests are added to it. */
  baseUrl: string;
  /** Headers with the key. Undefined: the client signs in by itself. */
  login?: Record<string, string>;
  /** What the address of the recorder has in the place of `baseUrl`, besides its prefix. */
  localPath: string;
}

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
  static of(environment: NodeJS.ProcessEnv): Upstreams {
    const named = new Map<string, Upstream>();
    const add = (name: string, upstream: Upstream | undefined) => {
      if (upstream !== undefined) named.set(name, upstream);
    };
    add('anthropic', anthropic(environment));
    add('bedrock', bedrock(environment));
    add('vertex', vertex(environment));
    add('openai', openai(environment));
    add('gemini', gemini(environment));
    for (const [name, upstream] of opencodeProviders(environment)) named.set(name, upstream);
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

/** The providers that OpenCode knows by a key alone. */
const OPENCODE_KEYS: Readonly<Record<string, readonly [variable: string, baseUrl: string]>> = {
  anthropic: ['ANTHROPIC_API_KEY', 'https://api.anthropic.com/v1'],
  openai: ['OPENAI_API_KEY', 'https://api.openai.com/v1'],
  google: ['GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'],
  openrouter: ['OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'],
};

const OPENCODE = 'opencode.';

/** Each provider of OpenCode's configuration, and those that it has a key for. */
function opencodeProviders(env: NodeJS.ProcessEnv): [string, Upstream][] {
  const configured = Object.entries(providersIn(configOf(env)));
  const keyed = Object.entries(OPENCODE_KEYS).flatMap(([name, [variable, baseUrl]]): [string, Upstream][] => {
    const key = env[variable];
    if (!key) return [];
    return [[`${OPENCODE}${name}`, { baseUrl, login: loginOf(name, key), localPath: '' }]];
  });
  const own = configured.flatMap(([name, { options }]): [string, Upstream][] => {
    const { baseURL, apiKey } = isObject(options) ? options : {};
    const [, usual] = OPENCODE_KEYS[name] ?? [];
    const baseUrl = typeof baseURL === 'string' ? baseURL : usual;
    if (baseUrl === undefined) return [];
    const key =
      typeof apiKey === 'string'
        ? apiKey.replace(/^\{env:(\w+)\}$/, (_, name: string) => env[name] ?? '')
        : env[OPENCODE_KEYS[name]?.[0] ?? ''];
    return [
      [
        `${OPENCODE}${name}`,
        { baseUrl: trimmed(baseUrl, ''), localPath: '', ...(key ? { login: loginOf(name, key) } : {}) },
      ],
    ];
  });
  return [...keyed, ...own];
}

function loginOf(provider: string, key: string): Record<string, string> {
  if (provider === 'anthropic') return { 'x-api-key': key };
  return provider === 'google' ? { 'x-goog-api-key': key } : bearer(key);
}

function configOf(env: NodeJS.ProcessEnv): JsonObject {
  const config = parseJson(env['OPENCODE_CONFIG_CONTENT'] ?? '{}');
  return isObject(config) ? config : {};
}

function providersIn(config: JsonObject): Record<string, JsonObject> {
  const { provider } = config;
  return isObject(provider)
    ? Object.fromEntries(Object.entries(provider).filter((entry): entry is [string, JsonObject] => isObject(entry[1])))
    : {};
}

/** OpenCode's configuration for the recorder and for replay: the same providers and models, without addresses and keys. */
export function opencodeSettings(env: NodeJS.ProcessEnv, upstreams: Upstreams): JsonObject | undefined {
  const names = upstreams.names.filter((name) => name.startsWith(OPENCODE)).map((name) => name.slice(OPENCODE.length));
  if (names.length === 0) return undefined;
  const config = configOf(env);
  const providers = providersIn(config);
  const provider = Object.fromEntries(
    names.map((name) => {
      const {
        baseURL: _,
        apiKey: __,
        headers: ___,
        ...options
      } = isObject(providers[name]?.['options']) ? (providers[name]['options'] as JsonObject) : {};
      return [name, { ...providers[name], options }];
    }),
  );
  const { model, small_model } = config;
  return { provider, ...defined({ model, small_model }) };
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
