import type { ConversationEvent } from '@understudy/agents';
import type { WorkflowProgress } from '../workflow/progress.js';
import { type CommandUse, commandChains, commandUses } from './commands.js';
import { type FileContext, fileContext, neverSeen } from './files.js';
import { repeatedTools, type ToolRepeat, type ToolUse, toolUses } from './tools.js';

/** What a conversation was about: files, tools, commands, and moves of the workflow. */
export interface ConversationContext {
  files: FileContext[];
  /** Files that the agent spoke of without having seen them. */
  neverSeen: string[];
  tools: ToolUse[];
  /** The names of the tools, in order. */
  toolSequence: string[];
  repeats: ToolRepeat[];
  commands: CommandUse[];
  chains: string[][];
  workflow?: Pick<WorkflowProgress, 'visits' | 'transitions' | 'invalid'>;
}

/** Gathers the context of a conversation from its events. */
export function contextOf(
  events: readonly ConversationEvent[],
  { cwd, workflow }: { cwd: string; workflow?: WorkflowProgress | undefined },
): ConversationContext {
  const files = fileContext(events, cwd);
  const tools = toolUses(events);
  const commands = commandUses(events);
  return {
    files,
    neverSeen: neverSeen(files),
    tools,
    toolSequence: tools.map(({ tool }) => tool),
    repeats: repeatedTools(tools),
    commands,
    chains: commandChains(commands),
    ...(workflow === undefined
      ? {}
      : { workflow: { visits: workflow.visits, transitions: workflow.transitions, invalid: workflow.invalid } }),
  };
}
