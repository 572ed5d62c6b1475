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

export interface EnvironmentOptions {
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

/** The environment that points one CLI at a server: scratch HOME and clean environment are the caller's part. */
export function agentEnvironment(
  agent: ServedAgent,
  server: ServerAccess,
  options: EnvironmentOptions = {},
): AgentEnvironment {
  return ENVIRONMENTS[agent](server, options);
}

/** Both CLIs bring the engine of Bun. What they run is over before its optimizing compilers have paid for themselves. */
const SHORT_LIVED = { BUN_JSC_useDFGJIT: '0', BUN_JSC_useFTLJIT: '0' };

/**
 * OpenCode starts again for every turn. Half of each start was spent in a catalog of all existing models, and a tenth
 * in npm, which it asks for the package that plugins are typed with: a lock file that names it ends the question.
 */
const OPENCODE_FILES = {
  '.cache/opencode/models.json': '{}',
  '.config/opencode/package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } },
  }),
  '.config/opencode/node_modules/.package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: {} }),
};

const ENVIRONMENTS: Record<ServedAgent, (server: ServerAccess, options: EnvironmentOptions) => AgentEnvironment> = {
  claude: ({ url, key }, { retries }) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // A script cannot call tools that the CLI only offers after a search.
      ENABLE_TOOL_SEARCH: 'false',
      ...SHORT_LIVED,
      ...(retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(retries) }),
    },
    files: {},
    args: [],
  }),

  opencode: (server) => ({
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(server)),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      npm_config_offline: 'true',
      ...SHORT_LIVED,
      BUN_JSC_useConcurrentGC: '0',
    },
    files: OPENCODE_FILES,
    args: [],
  }),

  codex: ({ url, key }, { retries = 0 }) => ({
    env: { UNDERSTUDY_MODEL_KEY: key },
    files: { '.codex/config.toml': codexConfig(url, retries) },
    args: [],
  }),

  gemini: ({ url, key }, { retries = 1 }) => ({
    env: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    files: { '.gemini/settings.json': `${JSON.stringify(geminiSettings(retries), null, 2)}\n` },
    // Without a model name, Gemini CLI first asks a model which one to use.
    args: ['-m', 'gemini-2.5-flash'],
  }),
};

function opencodeConfig({ url, key }: ServerAccess) {
  return {
    autoupdate: false,
    share: 'disabled',
    snapshot: false,
    model: `understudy/${MODEL}`,
    small_model: `understudy/${MODEL}`,
    enabled_providers: ['understudy'],
    permission: 'allow',
    provider: {
      understudy: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Understudy',
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { [MODEL]: { name: 'Scripted', limit: { context: 200_000, output: 32_000 } } },
      },
    },
  };
}

function codexConfig(url: string, retries: number): string {
  return `model = "${MODEL}"
model_provider = "understudy"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.understudy]
name = "Understudy"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "UNDERSTUDY_MODEL_KEY"
request_max_retries = ${retries}
stream_max_retries = ${retries}

[analytics]
enabled = false

[features]
plugins = false
apps = false
remote_plugin = false
plugin_discovery_prefetch = false
unbounded_connection_retries = false
`;
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
