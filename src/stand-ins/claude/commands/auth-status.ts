import { configPaths } from '../../../claude-code/config-paths.js';
import { parseCommand } from '../cli/arguments.js';
import { none } from '../cli/flags.js';
import type { Command } from './command.js';

const KEY = 'ANTHROPIC_API_KEY';

/** `claude auth status`: a script needs no login, so there is always one, by a key. */
export const authStatus: Command = (words, env) => {
  const { flags } = parseCommand(words, [none('--text'), none('--json')]);
  const { dir, projects } = configPaths(env);
  const address = env['ANTHROPIC_BASE_URL'];
  if (flags.has('--text')) return `API key: ${KEY}\n${address === undefined ? '' : `Anthropic base URL: ${address}\n`}`;
  const status = {
    loggedIn: true,
    authMethod: 'api_key',
    apiProvider: 'firstParty',
    analyticsDisabled: true,
    projectsDirectory: projects,
    configDirectory: dir,
    loginExpiresAt: null,
    consoleProfileSignInOffered: true,
    apiKeySource: KEY,
  };
  return `${JSON.stringify(status, null, 2)}\n`;
};
