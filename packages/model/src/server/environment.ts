/** The CLIs that can use the server. */
export const servedAgents = ['claude', 'opencode', 'codex', 'gemini'] as const;

export type ServedAgent = (typeof servedAgents)[number];

/** What a CLI needs to use the server and no other model. */
export interface AgentEnvironment {
  env: Record<string, string>;
  /** Files for its home folder, by their path in it. */
  files: Record<string, string>;
  /** Arguments for its command line. */
  args: string[];
}

/** What a CLI on a real model needs besides: the server passes its requests on, or plays a recording of them. */
export interface RealModelSettings {
  /** Variables that say which model is asked, and where: no keys. */
  env: Record<string, string>;
  /** OpenCode's providers and models. */
  opencode?: Record<string, unknown>;
}

export interface EnvironmentOptions {
  /** The CLI asks for its own model, not for the scripted one. */
  real?: RealModelSettings | undefined;
  /** Maximum number of retries of a failed request. Absent: the CLI's own default. */
  retries?: number;
}

/** Where a server is, and the key that it demands. */
export interface ServerAccess {
  url: string;
  key: string;
}

/** What points the SDKs of Anthropic, OpenAI and Google at a server. */
export function sdkEnvironment({ url, key }: ServerAccess): Record<string, string> {
  return {
    ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key },
    ...{ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key },
    ...{ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
  };
}

const MODEL = 'scripted';

/** The model of Gemini CLI, unless somebody says another. */
export const SCRIPTED_GEMINI = 'gemini-2.5-flash';

/** How OpenCode reads the key of a call from its environment. */
const KEY_VARIABLE = '{env:UNDERSTUDY_MODEL_KEY}';

/** The environment that points one CLI at a server: scratch HOME and clean environment are the caller's part. */
export function agentEnvironment(
  agent: ServedAgent,
  server: ServerAccess,
  options: EnvironmentOptions = {},
): AgentEnvironment {
  return ENVIRONMENTS[agent](server, options);
}

/** Both CLIs bring the engine of Bun. What they run is over before its optimizing compilers have paid for themselves. */
export const SHORT_LIVED = { BUN_JSC_useDFGJIT: '0', BUN_JSC_useFTLJIT: '0' };

/**
 * OpenCode starts again for every turn. Half of each start was spent in a catalog of all existing models, and a tenth
 * in npm, which it asks for the package that plugins are typed with: a lock file that names it ends the question.
 */
export const OPENCODE_CATALOG = '.cache/opencode/models.json';
const OPENCODE_NO_CATALOG = { [OPENCODE_CATALOG]: '{}' };
const OPENCODE_WITHOUT_NPM = {
  '.config/opencode/package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } },
  }),
  '.config/opencode/node_modules/.package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: {} }),
};

/** OpenCode fetches nothing, and ends soon. */
export const OPENCODE_ALONE = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  npm_config_offline: 'true',
  ...SHORT_LIVED,
};

const ENVIRONMENTS: Record<ServedAgent, (server: ServerAccess, options: EnvironmentOptions) => AgentEnvironment> = {
  claude: (server, { retries, real }) => ({
    env: {
      ...anthropicAccess(server, real),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // A script cannot call tools that the CLI only offers after a search.
      ENABLE_TOOL_SEARCH: 'false',
      ...SHORT_LIVED,
      ...claudeRetries(retries),
    },
    files: {},
    args: [],
  }),

  opencode: (server, { real }) => ({
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(
        real === undefined ? opencodeConfig(server) : realOpencodeConfig(server, real.opencode ?? {}),
      ),
      ...OPENCODE_ALONE,
      BUN_JSC_useConcurrentGC: '0',
    },
    files: {
      ...OPENCODE_WITHOUT_NPM,
      ...(needsCatalog(real) ? {} : OPENCODE_NO_CATALOG),
      // Where a program has settings of its own in the variable, these are the ones below them.
      '.config/opencode/opencode.json': JSON.stringify({
        ...(real === undefined ? opencodeConfig({ url: server.url, key: KEY_VARIABLE }) : {}),
        permission: OPENCODE_PERMISSION,
      }),
    },
    args: [],
  }),

  codex: ({ url, key }, { real, retries = real === undefined ? 0 : REAL_RETRIES }) => ({
    env: { UNDERSTUDY_MODEL_KEY: key },
    files: {
      '.codex/config.toml': `${real === undefined ? `model = "${MODEL}"\n` : ''}${codexConfig(url, retries)}`,
      // Programs ask first whether somebody is logged in.
      ...(real === undefined ? { '.codex/auth.json': JSON.stringify({ OPENAI_API_KEY: key }) } : {}),
    },
    // With `--ignore-user-config`, nothing of the file is read.
    args: codexAccess(url, retries).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  }),

  gemini: ({ url, key }, { real, retries = real === undefined ? 1 : REAL_RETRIES }) => ({
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // Without a model name, Gemini CLI first asks a model which one to use.
      ...(real === undefined ? { GEMINI_MODEL: SCRIPTED_GEMINI } : {}),
    },
    files: { '.gemini/settings.json': `${JSON.stringify(geminiSettings(retries), null, 2)}\n` },
    args: [],
  }),
};

/** How often Claude Code may repeat a failed request; by itself ten times. */
export function claudeRetries(retries: number | undefined): Record<string, string> {
  return retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(retries) };
}

/** A real service may be busy for a moment. */
const REAL_RETRIES = 3;

/** Where Claude Code finds Anthropic's API: directly, or in a cloud. */
function anthropicAccess({ url, key }: ServerAccess, real: RealModelSettings | undefined): Record<string, string> {
  const env = real?.env ?? {};
  if (env['CLAUDE_CODE_USE_BEDROCK'] !== undefined)
    return { ...env, ANTHROPIC_BEDROCK_BASE_URL: url, AWS_BEARER_TOKEN_BEDROCK: key };
  if (env['CLAUDE_CODE_USE_VERTEX'] !== undefined)
    // Claude Code signs in to Google by itself, so our key is in the address.
    return { ...env, ANTHROPIC_VERTEX_BASE_URL: `${url}/key/${key}/v1` };
  return { ...env, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
}

/** A provider that the configuration describes as a whole needs no catalog of models. */
function needsCatalog(real: RealModelSettings | undefined): boolean {
  return Object.values((real?.opencode?.['provider'] ?? {}) as Record<string, { npm?: string; models?: object }>).some(
    ({ npm, models }) => npm === undefined || models === undefined,
  );
}

/**
 * What OpenCode asks for unless settings say otherwise. Not more, and not in the variable: what a project or an agent
 * forbids, or wants to be asked for, is part of what is rehearsed.
 */
const OPENCODE_PERMISSION = { external_directory: 'allow', doom_loop: 'allow' };

/** OpenCode's own providers and models, each at an address of ours. */
function realOpencodeConfig({ url, key }: ServerAccess, config: Record<string, unknown>) {
  const providers = Object.entries((config['provider'] ?? {}) as Record<string, { options?: object }>);
  return {
    ...{ autoupdate: false, share: 'disabled', snapshot: false },
    ...config,
    enabled_providers: providers.map(([name]) => name),
    provider: Object.fromEntries(
      providers.map(([name, provider]) => [
        name,
        { ...provider, options: { ...provider.options, baseURL: `${url}/to/opencode.${name}`, apiKey: key } },
      ]),
    ),
  };
}

/**
 * Providers of OpenCode whose models are ours, too, where a home has a catalog that names them: programs and agents ask for
 * models by name.
 */
export const OPENCODE_PROVIDERS = [
  ...['anthropic', 'openai', 'google', 'opencode', 'openrouter', 'github-copilot'],
  ...['xai', 'groq', 'deepseek', 'moonshotai', 'zai', 'zai-coding-plan'],
] as const;

function opencodeConfig({ url, key }: ServerAccess) {
  const at = (path: string) => ({ options: { baseURL: `${url}${path}`, apiKey: key } });
  return {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: `understudy/${MODEL}`,
    small_model: `understudy/${MODEL}`,
    enabled_providers: ['understudy', ...OPENCODE_PROVIDERS],
    provider: {
      ...Object.fromEntries(OPENCODE_PROVIDERS.map((name) => [name, at(name === 'google' ? '/v1beta' : '/v1')])),
      understudy: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Understudy',
        ...at('/v1'),
        models: { [MODEL]: { name: 'Scripted', limit: { context: 200_000, output: 32_000 } } },
      },
    },
  };
}

/** Settings of Codex that lead it to the server, and to nobody else: key and value, in TOML. */
function codexAccess(url: string, retries: number): [string, string][] {
  const own = 'model_providers.understudy';
  const off = ['plugins', 'apps', 'remote_plugin', 'plugin_discovery_prefetch', 'unbounded_connection_retries'];
  return [
    ['model_provider', '"understudy"'],
    ['check_for_update_on_startup', 'false'],
    [`${own}.name`, '"Understudy"'],
    [`${own}.base_url`, `"${url}/v1"`],
    [`${own}.wire_api`, '"responses"'],
    [`${own}.env_key`, '"UNDERSTUDY_MODEL_KEY"'],
    [`${own}.request_max_retries`, String(retries)],
    [`${own}.stream_max_retries`, String(retries)],
    ['analytics.enabled', 'false'],
    ...off.map((feature): [string, string] => [`features.${feature}`, 'false']),
  ];
}

function codexConfig(url: string, retries: number): string {
  const own = [
    ['approval_policy', '"never"'],
    ['sandbox_mode', '"danger-full-access"'],
  ];
  return [...own, ...codexAccess(url, retries)].map(([key, value]) => `${key} = ${value}\n`).join('');
}

function geminiSettings(retries: number) {
  return {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      maxAttempts: retries + 1,
      retryFetchErrors: false,
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
}
