import {
  argumentReader,
  CLAUDE_FLAGS,
  CLAUDE_MINOR_FLAGS,
  type ClaudeArguments,
  UnknownOption,
} from '@understudy/agents';
import { REFUSED_COMMANDS, REFUSED_FLAGS } from './flags.js';

const refused = new Set(REFUSED_FLAGS);
const read = argumentReader([...CLAUDE_FLAGS, ...CLAUDE_MINOR_FLAGS], (name) =>
  refused.has(name)
    ? new NotSupported(`error: the stand-in does not support option '${name}' of the real claude`)
    : undefined,
);

/** Reads a command line as the real CLI does, with the same errors. */
export function parseArguments(argv: readonly string[]): ClaudeArguments {
  // What follows a command has flags of its own.
  const [first = '', ...rest] = argv;
  const own = rest.slice(0, [...rest, '--'].indexOf('--'));
  const isPrompt = own.some((word) => word === '-p' || word === '--print');
  if (!isPrompt && REFUSED_COMMANDS.includes(first)) throw refusedCommand(argv);
  const parsed = read(argv);
  const [command = ''] = parsed.positional;
  if (!parsed.flags.has('--print') && REFUSED_COMMANDS.includes(command)) throw refusedCommand(parsed.positional);
  return parsed;
}

/** Names the command with what belongs to its name: `mcp add`. */
function refusedCommand(words: readonly string[]): NotSupported {
  const [command, behind = ''] = words;
  const name = /^[a-z][a-z-]*$/.test(behind) ? `${command} ${behind}` : command;
  return new NotSupported(`error: the stand-in has no command '${name}'; it only runs sessions`);
}

/** The real CLI can do it. */
export class NotSupported extends UnknownOption {
  constructor(message: string) {
    super(message, 2);
  }
}
