import { isDisabled, RESOURCE_TOOLS, TOOLS, TOOLS_ON_REQUEST, toolAliases } from '@understudy/agents';
import { lacksTool } from '../session/own-tools.js';
import type { Session } from '../session/session.js';
import { isToDoTool, toDoTools } from '../session/to-do-tools.js';

/** Why whoever is at work does not have a tool, in the words of the CLI. */
export function unavailableReason(session: Session, name: string): string | undefined {
  const tools = session.chosenTools;
  const names = toolAliases(name);
  const builtIn =
    names.some((one) => isOurs(session, one)) || TOOLS_ON_REQUEST.includes(name) || isToDoTool(session, name);
  const isOff = name === 'Skill' && session.parts.options.disableSlashCommands;
  const excluded = tools !== undefined && builtIn && !names.some((one) => tools.includes(one));
  const disabled = excluded || names.some((one) => isDisabled(one, session.parts.rules));
  if (isOff || disabled) return disabledReason(name);
  if (!lacksTool(session, name)) return undefined;
  if (isToDoTool(session, name) && !toDoTools(session).includes(name)) return disabledReason(name);
  if (!builtIn) return `No such tool available: ${name}`;
  return `No such tool available: ${name}. ${name} is not among the tools available here. Continue with the tools you have.`;
}

/** The message about a tool that is switched off. */
export function disabledReason(name: string): string {
  const where = TOOLS_ON_REQUEST.includes(name) ? '' : ', in subagents as well as here';
  return `No such tool available: ${name}. ${name} is disabled for this session${where}.`;
}

/** Whether the CLI has a tool of this name, which the stand-in may lack. */
export function isOurs({ mcp }: Session, name: string): boolean {
  return TOOLS.includes(name) || (RESOURCE_TOOLS.includes(name) && mcp?.hasResources === true);
}
