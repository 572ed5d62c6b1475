/** A slash command as the user typed it. */
export interface SlashCommand {
  /** Without the slash; with its plugin where the CLI told it: `agent-loop:explore`. */
  name: string;
  args: string;
}

/** What the user said in a turn, and what surrounds it as far as the stage knows. */
export interface Prompt {
  /** The user's own text; for a slash command, what it expanded to. */
  text: string;
  command?: SlashCommand;
  system?: string;
  model?: string;
  /** The subagent that is spoken to, where it is not the main one. */
  agent?: string;
  cwd?: string;
}

const COMMAND = /^\/([\w-]+(?::[\w-]+)*)(?:\s+([\s\S]*))?$/;

/** Reads `/name args`; anything else is not a command. A path such as `/etc/hosts` is none. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const match = COMMAND.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: match[2]?.trim() ?? '' };
}
