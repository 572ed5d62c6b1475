import { basename, dirname, join } from 'node:path';
import { type Environment, makeFolder, offlineGit, scrubbedEnvironment, UntrustedFolder } from '@understudy/kit';
import type { StartOptions } from '../driver.js';
import { settleModelAccess } from '../model-access.js';
import { claudeCode } from './client/client.js';
import { claudeRetries } from './environment.js';
import { type ConfigPaths, configPaths } from './facts/config-paths.js';

/** Where a Claude Code with this home keeps its things. */
export function claudePaths(home: string): ConfigPaths {
  return configPaths({ HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') });
}

/** Writes what keeps a fresh Claude Code from asking: onboarding, theme, the key, trust in the folder. */
export function settleClaude(
  { dir, state }: Pick<ConfigPaths, 'dir' | 'state'>,
  cwd: string,
  keys: readonly string[],
): void {
  makeFolder(dir);
  const settings = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: keys.map((key) => key.slice(-20)), rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  // An earlier conversation may have had this home.
  new UntrustedFolder(dirname(state)).write(basename(state), JSON.stringify(settings));
}

/**
 * A project's settings may name marketplaces (`extraKnownMarketplaces`), which the CLI fetches at its start: by git, and
 * before that it asks github.com by ssh whether it has a key there, unless it is to prefer HTTPS.
 */
const OFFLINE: Environment = { ...offlineGit, CLAUDE_CODE_PLUGIN_PREFER_HTTPS: '1' };

/** Prepares a home for Claude Code and gives the environment in which it talks to its model and to nobody else. */
export function prepareClaude(
  options: Pick<StartOptions, 'home' | 'cwd' | 'model' | 'environment' | 'recorder'>,
  temp: string,
): Environment {
  const { model } = options;
  const access = settleModelAccess(claudeCode, options);
  const key = access.env['ANTHROPIC_API_KEY'];
  settleClaude(claudePaths(options.home), options.cwd, key === undefined ? [] : [key]);
  return scrubbedEnvironment({
    HOME: options.home,
    CLAUDE_CONFIG_DIR: claudePaths(options.home).dir,
    TMPDIR: temp,
    // Its sandbox for shell commands reads this one only.
    CLAUDE_CODE_TMPDIR: temp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // It says when a turn is over, background agents included; a result alone does not.
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    // As root, some modes are refused outside a sandbox. The scratch home is one.
    IS_SANDBOX: '1',
    ...(options.model.kind === 'live' ? {} : OFFLINE),
    ...access.env,
    ...(model.kind === 'scenario' ? claudeRetries(model.retries) : {}),
    ...options.recorder?.environment,
    ...options.environment,
  });
}
