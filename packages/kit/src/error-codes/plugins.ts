/** Plugins, marketplaces, commands and hooks of Claude Code. */
export const pluginCodes = {
  PLUGIN_WRONG_AGENT: {
    meaning: 'Only Claude Code has plugins, and another agent was named.',
    fix: 'Use `--agent claude` or `--agent claude@VERSION`.',
  },
  PLUGIN_SPECIAL_FILE: {
    meaning: 'A plugin holds a named pipe, a socket or a device, which could not be read to its end.',
    fix: 'Remove it from the plugin, or put a file in its place.',
  },
  HIDDEN_PROGRAM: {
    meaning:
      'A hook or server runs something that is not there in the sandbox: in a home, or fetched from the network.',
    fix: 'Put it into the plugin or the project or on PATH, replace the server (`[mcp.NAME]`), or use `--isolation none`.',
  },
  PLUGIN_CLI_FAILED: {
    meaning: '`claude plugin` failed, timed out, or gave output that cannot be read.',
    fix: 'Correct what its message names, or try a newer Claude Code: `understudy agents add claude`.',
  },
  PLUGINS_NOT_REPORTED: {
    meaning: 'The agent has not reported which plugins it loaded.',
    fix: 'Send a prompt first, or try a newer Claude Code: `understudy agents add claude`.',
  },
  PLUGIN_NOT_OFFERED: {
    meaning: 'No known marketplace offers this plugin.',
    fix: 'Check the name, or give `marketplace_path`.',
  },
  PLUGIN_SOURCE_REMOTE: {
    meaning: 'The plugin, or one that it depends on, is not on this machine, and nothing is fetched here.',
    fix: 'Fetch it yourself, and give a marketplace whose entry names its folder.',
  },
  PLUGIN_NOT_INSTALLED: {
    meaning: 'The plugin is not installed.',
    fix: 'Install it with `install_plugin`.',
  },
  MARKETPLACE_INVALID: {
    meaning: 'marketplace.json cannot be read, or a field is wrong.',
    fix: 'Give it a name, an owner and a list of plugins, each with a name and a source.',
  },
  MARKETPLACE_EMPTY: {
    meaning: 'The marketplace offers no plugin.',
    fix: 'Add one to `plugins` in marketplace.json.',
  },
  COMMAND_INVALID: {
    meaning: 'The text is not a slash command.',
    fix: 'Begin with a slash: /name, or /plugin:name.',
  },
  COMMAND_UNKNOWN: {
    meaning: 'Claude Code does not know the command and sent it to the model as plain text.',
    fix: 'Check the name, and that its plugin is loaded.',
  },
  COMMAND_NOT_SENT: {
    meaning: 'The command was never sent to the model.',
    fix: 'Check whether the CLI answers this command itself, or whether a hook stopped it.',
  },
  HOOK_EVENT_UNKNOWN: {
    meaning: 'Claude Code has no hook event with this name.',
    fix: 'Use the name that the message suggests.',
  },
  HOOK_NONE: {
    meaning: 'No hook is declared for this event.',
    fix: 'Use one of the events that the message lists.',
  },
} as const;
