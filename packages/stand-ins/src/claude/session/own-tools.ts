import { isAmong, toolName } from '@understudy/agents';
import type { Session } from './session.js';

/** What the agent of the session has of its tools: those that it names, in that order, without those that it must not have. */
export function toolsOfOwnAgent({ ownDefinition }: Session, all: readonly string[]): string[] {
  const { tools, disallowedTools = [] } = ownDefinition ?? {};
  const left = all.filter((tool) => !isAmong(disallowedTools, toolName(tool)) && !isWatching(tool, disallowedTools));
  if (tools === undefined) return left;
  return [...new Set(tools.flatMap((name) => left.filter((tool) => isAmong([name], toolName(tool)))))];
}

/** What watches commands goes with the shell. */
function isWatching(tool: string, disallowed: readonly string[]): boolean {
  return tool === 'Monitor' && disallowed.includes('Bash');
}

/** Whether whoever speaks has to do without a tool. */
export function lacksTool(session: Session, name: string): boolean {
  const { subagent, ownDefinition } = session;
  if (subagent !== undefined) return subagent.tools?.includes(toolName(name)) === false;
  const { tools, disallowedTools } = ownDefinition ?? {};
  if ((tools ?? disallowedTools) === undefined) return false;
  return toolsOfOwnAgent(session, [name]).length === 0;
}

/** Whether the session can start an agent: the one that it was started as may name those that it needs. */
export function mayStart({ ownDefinition, subagent }: Session, name: string): boolean {
  return subagent !== undefined || (ownDefinition?.subagents?.includes(name) ?? true);
}
