/** What the real CLI does and the stand-in does not, each with the message where it is asked for (decision 0022). */
export const REFUSED = {
  agent: 'The stand-in does not play another agent than "build":',
  command: 'The stand-in does not have this command of OpenCode:',
  contexts: 'The stand-in does not load the instructions of a folder that the agent comes to:',
  edits: 'The stand-in does not edit a text that the file has with other spaces:',
  environmentFiles: 'The stand-in does not ask for permission to read a file of variables (without --auto):',
  flag: 'The stand-in does not do what this flag says:',
  folder: 'The stand-in does not load agents, commands, plugins and tools from',
  noText: 'The stand-in does not read pictures, papers and programs:',
  settings: 'The stand-in does not apply settings:',
} as const;
