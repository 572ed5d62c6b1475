import { toolName } from '@understudy/agents';
import type { AgentAtWork } from '../session/agent-at-work.js';
import type { Session } from '../session/session.js';
import { everyTool } from './init-event.js';

/** The tools that a subagent and its own subagents have used. */
export function toolsUsed(session: Session, { namedTools, subagent }: AgentAtWork): string[] {
  const all = everyTool(session).map(toolName);
  return [...namedTools].filter((name) => all.includes(name) && (subagent?.tools?.includes(name) ?? true)).sort();
}

/** The note to the agent about tools that only its subagents have used. */
export function newToolsNote({ atWork }: Session, tools: readonly string[]): string[] {
  const unnamed = tools.filter((name) => !atWork.namedTools.has(name));
  return unnamed.length === 0 ? [] : [`<tools-used-before-summary>${unnamed.join(', ')}</tools-used-before-summary>`];
}
