import { defined, isObject, type JsonObject, parseJson } from '@understudy/kit';
import type { OwnApis, Upstream } from '@understudy/model';

/** The providers that OpenCode knows by a key alone. */
const OPENCODE_KEYS: Readonly<Record<string, readonly [variable: string, baseUrl: string]>> = {
  anthropic: ['ANTHROPIC_API_KEY', 'https://api.anthropic.com/v1'],
  openai: ['OPENAI_API_KEY', 'https://api.openai.com/v1'],
  google: ['GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'],
  openrouter: ['OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'],
};

const OPENCODE = 'opencode.';

/** Each provider of OpenCode's configuration, and those that it has a key for. */
function upstreams(env: NodeJS.ProcessEnv): [string, Upstream][] {
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
        { baseUrl: baseUrl.replace(/\/+$/, ''), localPath: '', ...(key ? { login: loginOf(name, key) } : {}) },
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

/** The same providers and models, without addresses and keys. */
function configuration(env: NodeJS.ProcessEnv, known: readonly string[]): JsonObject | undefined {
  const names = known.filter((name) => name.startsWith(OPENCODE)).map((name) => name.slice(OPENCODE.length));
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

export const apis: OwnApis = { upstreams, configuration };
