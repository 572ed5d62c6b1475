/** What the real CLI does and the stand-in does not, each with the message where it is asked for (decision 0022). */
export const REFUSED = {
  colors: 'The stand-in does not write in color (--color always).',
  command: 'The stand-in does not have this command of Codex:',
  flag: 'The stand-in does not do what this flag says:',
  patch: 'The stand-in does not apply patches that move files or that do not fit exactly:',
  projectSettings: 'The stand-in does not apply the settings of a project:',
  setting: 'The stand-in does not apply this setting:',
  terminal: 'The stand-in does not have a terminal interface: use `codex exec`.',
} as const;
