import versions from '../../versions.json' with { type: 'json' };
import facts from './facts.json' with { type: 'json' };

/**
 * What a plain Claude Code of this version prints about itself is recorded in facts.json by `npm run record:facts`; what
 * it does not print is written here.
 */
export const CLAUDE_VERSION = versions.claude;

export const SKILLS: readonly string[] = facts.skills;

/** The styles in which it can speak without any of a user. */
export const OUTPUT_STYLES: readonly string[] = facts.outputStyles;

/** Commands that are not skills. */
export const COMMANDS: readonly string[] = facts.commands;

/** Other names of commands. */
export const COMMAND_ALIASES: Readonly<Record<string, string>> = {
  bg: 'background',
  fork: 'branch',
  reset: 'clear',
  new: 'clear',
  settings: 'config',
  quit: 'exit',
  bug: 'feedback',
  share: 'feedback',
  android: 'mobile',
  ios: 'mobile',
  'allowed-tools': 'permissions',
  marketplace: 'plugin',
  plugins: 'plugin',
  name: 'rename',
  continue: 'resume',
  checkpoint: 'rewind',
  undo: 'rewind',
  bashes: 'tasks',
  cost: 'usage',
  stats: 'usage',
  peers: 'list-agents',
  proactive: 'loop',
  review: 'code-review',
  checkup: 'doctor',
};

/** The name of a command, however it was typed. */
export function commandName(typed: string): string {
  return Object.hasOwn(COMMAND_ALIASES, typed) ? (COMMAND_ALIASES[typed] ?? typed) : typed;
}

export const TERMINAL_COMMANDS: readonly string[] = facts.terminalCommands;

export const AGENTS: readonly string[] = facts.agents;

export const PLUGINS: readonly { name: string; path: string; source: string }[] = facts.plugins.map((name) => ({
  name,
  path: 'builtin',
  source: `${name}@builtin`,
}));

/** What the stand-in can be asked on its control channel; the real CLI lists more. */
export const CAPABILITIES: readonly string[] = ['interrupt_receipt_v1', 'sdk_mcp_tools_list_changed'];

/** The effort levels of a model. */
export const EFFORTS: readonly string[] = ['low', 'medium', 'high', 'xhigh', 'max'];
