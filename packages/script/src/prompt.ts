/** A slash command as the user typed it. */
export interface SlashCommand {
  /** Without the slash. With its plugin if the CLI reports it: `agent-loop:explore`. */
  name: string;
  args: string;
}

/** A subagent whose name a request does not contain. */
export const UNNAMED_AGENT = 'subagent';

/** What the user said in a turn, with its context as far as the stage knows it. */
export interface Prompt {
  /** The user's own text. For a slash command, its expansion. */
  text: string;
  command?: SlashCommand;
  system?: string;
  model?: string;
  /** The subagent that gets the prompt, if it is not the main agent. */
  agent?: string;
  cwd?: string;
  /** The event of the hook that asks, if it is not the user: only rules for hooks see this. */
  hook?: string;
  /** The number of the call in its `run` step, from 1: which start of an agent, or which request of an SDK. */
  call?: number;
}

const COMMAND = /^\/([\w-]+(?::[\w-]+)*)(?:\s+([\s\S]*))?$/;

/** Parses `/name args`. A path such as `/etc/hosts` is not a command. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const match = COMMAND.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: match[2]?.trim() ?? '' };
}
