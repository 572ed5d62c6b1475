import { CliError } from '../../../claude-code/cli-error.js';
import { writeOut } from '../../shared/write-out.js';
import { NotSupported } from '../cli/arguments.js';
import { authStatus } from './auth-status.js';
import type { Command } from './command.js';
import { addServer, addServerOfJson, listServers, removeServer, showServer } from './mcp-servers.js';

const COMMANDS: Record<'mcp' | 'auth', Record<string, Command>> = {
  mcp: {
    add: addServer,
    'add-json': addServerOfJson,
    list: listServers,
    get: showServer,
    remove: removeServer,
  },
  auth: { status: authStatus },
};

/** What the real CLI has besides. */
const OTHERS: Record<string, readonly string[]> = {
  mcp: ['add-from-claude-desktop', 'serve', 'reset-project-choices', 'login', 'logout', 'help', '--help', '-h'],
  auth: ['login', 'logout', 'help', '--help', '-h'],
};

/** `claude mcp …` and `claude auth …`: what programs look at and prepare before they run sessions. */
export async function runCommand(
  name: keyof typeof COMMANDS,
  [sub, ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const found = COMMANDS[name];
  if (sub === undefined || OTHERS[name]?.includes(sub))
    throw new NotSupported(`error: the stand-in has no command '${[name, sub].filter(Boolean).join(' ')}'`);
  const command = Object.hasOwn(found, sub) ? found[sub] : undefined;
  if (command === undefined) throw new CliError(`error: unknown command '${sub}'`);
  const told = await command(words, env);
  const { out, exitCode = 0 } = typeof told === 'string' ? { out: told } : told;
  writeOut(1, out);
  return exitCode;
}
