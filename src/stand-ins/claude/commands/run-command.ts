import { CliError } from '../../../claude-code/cli-error.js';
import { writeOut } from '../../shared/write-out.js';
import { NotSupported } from '../cli/arguments.js';
import { authStatus } from './auth-status.js';
import type { Command } from './command.js';
import { addServer, addServerOfJson, listServers, removeServer, showServer } from './mcp-servers.js';

type Commands = Record<string, Command>;

const MCP: Commands = {
  add: addServer,
  'add-json': addServerOfJson,
  list: listServers,
  get: showServer,
  remove: removeServer,
};

/** What the real CLI has besides. */
const OTHERS: Record<string, readonly string[]> = {
  mcp: ['add-from-claude-desktop', 'serve', 'reset-project-choices', 'login', 'logout', 'help', '--help', '-h'],
  auth: ['login', 'logout', 'help', '--help', '-h'],
  plugin: [
    ...['configure', 'details', 'eval', 'init', 'new', 'prune', 'autoremove', 'restore-set-aside', 'tag', 'test'],
    ...['validate', 'help', '--help', '-h'],
  ],
  'plugin marketplace': ['help', '--help', '-h'],
};

/** `claude mcp …`, `auth …` and `plugin …`: what programs look at and prepare before they run sessions. */
export async function runCommand(
  name: 'mcp' | 'auth' | 'plugin' | 'plugin marketplace',
  [sub, ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (name === 'plugin' && sub === 'marketplace') return runCommand('plugin marketplace', words, env);
  const helps = name.startsWith('plugin') && words.some((word) => word === '--help' || word === '-h');
  if (sub === undefined || helps || OTHERS[name]?.includes(sub))
    throw new NotSupported(
      `error: the stand-in has no command '${[name, sub].filter(Boolean).join(' ')}${helps ? ' --help' : ''}'`,
    );
  const found = await commandsOf(name);
  const command = Object.hasOwn(found, sub) ? found[sub] : undefined;
  if (command === undefined) throw new CliError(`error: unknown command '${sub}'`);
  const told = await command(words, env);
  const { out, err = '', exitCode = 0 } = typeof told === 'string' ? { out: told } : told;
  writeOut(1, out);
  writeOut(2, err);
  return exitCode;
}

async function commandsOf(name: string): Promise<Commands> {
  if (name === 'mcp') return MCP;
  if (name === 'auth') return { status: authStatus };
  const { MARKETPLACE_COMMANDS, PLUGIN_COMMANDS } = await import('./plugins.js');
  return name === 'plugin' ? PLUGIN_COMMANDS : MARKETPLACE_COMMANDS;
}
