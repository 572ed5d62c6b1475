/** What the real CLI does and the stand-in does not, each with the message where it is asked for (decision 0022). */
export const REFUSED = {
  background: 'The stand-in does not run commands in the background (is_background).',
  binary: 'The stand-in does not read files that are no plain text:',
  commands: 'The stand-in does not expand commands of Gemini CLI or of a project:',
  contexts: 'The stand-in does not load the GEMINI.md of a folder that the agent comes to:',
  extensions: 'The stand-in does not load extensions:',
  flag: 'The stand-in does not do what this flag says:',
  geminiIgnore: 'The stand-in does not apply a .geminiignore.',
  gitIgnored: 'The stand-in does not leave out what git ignores:',
  mode: 'The stand-in does not play the approval mode "plan".',
  references: 'The stand-in does not read files behind an @ of the prompt:',
  searches: 'The stand-in does not search with this argument:',
  setting: 'The stand-in does not apply this setting of settings.json:',
  subcommand: 'The stand-in does not have this command of Gemini CLI:',
  terminal: 'The stand-in does not have a terminal interface: give the prompt with -p.',
  unreadableSettings: 'The stand-in does not read a settings.json that is no JSON object.',
} as const;
