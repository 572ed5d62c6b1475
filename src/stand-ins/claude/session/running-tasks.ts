import type { JsonObject } from '../../../document/json.js';
import type { Session } from './session.js';

/** The tasks that run in the background, as hooks see them. */
export function runningTasks({ backgroundTasks, commands }: Session): JsonObject[] {
  return backgroundTasks.map(({ task_id: id, description, subagent_type }) => {
    const shell = commands.find((one) => one.id === id);
    return shell === undefined
      ? { id, type: 'subagent', status: 'running', description, agent_type: subagent_type }
      : { id, type: 'shell', status: 'running', description, command: shell.command };
  });
}
