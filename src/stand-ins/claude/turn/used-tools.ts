import { toolName } from '../../../claude-code/tools.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { everyTool } from './init-event.js';

/** The tools that a subagent has used. */
export function toolsUsed(session: Session, { tools, offered }: TurnRecord): string[] {
  const all = everyTool(session).filter((name) => offered?.includes(toolName(name)) ?? true);
  return [...new Set(tools.map(({ name }) => name))].filter((name) => all.includes(name)).sort();
}

/** What the agent is told of tools that only its subagents have used: each of them once. */
export function newToolsNote({ namedTools }: Session, tools: readonly string[]): string[] {
  const unnamed = tools.filter((name) => !namedTools.has(name));
  for (const name of unnamed) namedTools.add(name);
  return unnamed.length === 0 ? [] : [`<tools-used-before-summary>${unnamed.join(', ')}</tools-used-before-summary>`];
}
