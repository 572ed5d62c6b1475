/** The CLIs that we know how to point at the server. */
export const servedAgents = ['claude', 'opencode', 'codex', 'gemini'] as const;

export type ServedAgent = (typeof servedAgents)[number];

/** What makes a CLI talk to the server, and to nobody else. */
export interface AgentEnvironment {
  env: Record<string, string>;
  /** Files that its home folder must have, by their path in it. */
  files: Record<string, string>;
  /** Arguments that its command line needs. */
  args: string[];
}

export interface EnvironmentOptions {
  /** How often the CLI may repeat a request that failed; absent, as often as it likes. */
  retries?: number;
}

/** Where a server is, and the key that it demands. */
export interface ServerAccess {
  url: string;
  key: string;
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

const ENVIRONMENTS: Record<ServedAgent, (server: ServerAccess, options: EnvironmentOptions) => AgentEnvironment> = {
  claude: ({ url, key }, { retries }) => ({
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Tools that must be searched for first cannot be called from a script.
      ENABLE_TOOL_SEARCH: 'false',
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
      // It starts anew for every turn; half of each start went into optimizing compilers …
      BUN_JSC_useDFGJIT: '0',
      BUN_JSC_useFTLJIT: '0',
    },
    // … and into a catalogue of all the models that there are.
    files: { '.cache/opencode/models.json': '{}' },
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
    // Without a model it asks another one first which to take.
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
