import type { ServedClient } from '@understudy/model';
import { REAL_RETRIES, SCRIPTED_MODEL } from '../environment.js';

export const environment: ServedClient['environment'] = (
  { url, key },
  { real, retries = real === undefined ? 0 : REAL_RETRIES },
) => ({
  env: { UNDERSTUDY_MODEL_KEY: key },
  files: {
    '.codex/config.toml': `${real === undefined ? `model = "${SCRIPTED_MODEL}"\n` : ''}${codexConfig(url, retries)}`,
    // Programs ask first whether somebody is logged in.
    ...(real === undefined ? { '.codex/auth.json': JSON.stringify({ OPENAI_API_KEY: key }) } : {}),
  },
  // With `--ignore-user-config`, nothing of the file is read.
  args: codexAccess(url, retries).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
});

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
