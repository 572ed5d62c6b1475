import { isOlderModel, resolveModel, TASK_TOOLS, TO_DO_TOOLS } from '@understudy/agents';
import type { Session } from './session.js';

/** The tools with which the agents of a session keep a list of what there is to do. */
export function toDoTools(session: Session): readonly string[] {
  const { chosenTools, chosen } = session;
  const tools = keepsTasks(session) ? TASK_TOOLS : ['TodoWrite'];
  if (chosenTools !== undefined) return tools.filter((tool) => chosenTools.includes(tool));
  // Whoever allows one of them gets all, even by the name of the older one. Rules of settings do not count.
  const isNamed = session.parts.options.allowedTools.some((rule) => TO_DO_TOOLS.includes(rule.replace(/\(.*/s, '')));
  return isNamed || isOlderModel(resolveModel(chosen.model)) ? tools : [];
}

/** Whether this is such a tool, offered or not: where tasks are turned off, their tools do not exist. */
export function isToDoTool(session: Session, name: string): boolean {
  return name === 'TodoWrite' || (TASK_TOOLS.includes(name) && keepsTasks(session));
}

function keepsTasks(session: Session): boolean {
  return !/^(?:0|false|no|off)$/i.test(session.environment()['CLAUDE_CODE_ENABLE_TASKS'] ?? '');
}
