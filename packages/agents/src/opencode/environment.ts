import type { RealModelSettings, ServedClient, ServerAccess } from '@understudy/model';
import { SCRIPTED_MODEL, SHORT_LIVED } from '../environment.js';

/** How OpenCode reads the key of a call from its environment. */
const KEY_VARIABLE = '{env:UNDERSTUDY_MODEL_KEY}';

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

export const environment: ServedClient['environment'] = (server, { real }) => ({
  env: {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(
      real === undefined ? opencodeConfig(server) : realOpencodeConfig(server, real.configuration ?? {}),
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
});

/** A provider that the configuration describes as a whole needs no catalog of models. */
function needsCatalog(real: RealModelSettings | undefined): boolean {
  return Object.values(
    (real?.configuration?.['provider'] ?? {}) as Record<string, { npm?: string; models?: object }>,
  ).some(({ npm, models }) => npm === undefined || models === undefined);
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
    model: `understudy/${SCRIPTED_MODEL}`,
    small_model: `understudy/${SCRIPTED_MODEL}`,
    enabled_providers: ['understudy', ...OPENCODE_PROVIDERS],
    provider: {
      ...Object.fromEntries(OPENCODE_PROVIDERS.map((name) => [name, at(name === 'google' ? '/v1beta' : '/v1')])),
      understudy: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Understudy',
        ...at('/v1'),
        models: { [SCRIPTED_MODEL]: { name: 'Scripted', limit: { context: 200_000, output: 32_000 } } },
      },
    },
  };
}
