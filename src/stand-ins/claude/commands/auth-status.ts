import { configPaths } from '../../../claude-code/config-paths.js';
import { isLoggedIn } from '../../shared/find-scenario.js';
import { parseCommand } from '../cli/arguments.js';
import { none } from '../cli/flags.js';
import type { Command } from './command.js';

const KEY = 'ANTHROPIC_API_KEY';

/** `claude auth status`: a script needs no login, so there is one, by a key, unless the scenario has none. */
export const authStatus: Command = async (words, env) => {
  const { flags } = parseCommand(words, [none('--text'), none('--json')]);
  const loggedIn = await isLoggedIn(env);
  const exitCode = loggedIn ? 0 : 1;
  const { dir, projects } = configPaths(env);
  const url = env['ANTHROPIC_BASE_URL'];
  if (flags.has('--text')) {
    const address = url === undefined ? [] : [`Anthropic base URL: ${url}`];
    const lines = loggedIn
      ? [`API key: ${KEY}`, ...address]
      : [...address, 'Not logged in. Run claude auth login to authenticate.'];
    return { out: `${lines.join('\n')}\n`, exitCode };
  }
  const status = {
    loggedIn,
    authMethod: loggedIn ? 'api_key' : 'none',
    apiProvider: 'firstParty',
    analyticsDisabled: true,
    projectsDirectory: projects,
    configDirectory: dir,
    loginExpiresAt: null,
    consoleProfileSignInOffered: true,
    ...(loggedIn ? { apiKeySource: KEY } : {}),
  };
  return { out: `${JSON.stringify(status, null, 2)}\n`, exitCode };
};
