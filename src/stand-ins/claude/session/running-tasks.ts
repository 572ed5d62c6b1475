import type { JsonObject } from '../../../document/json.js';
import type { Session } from './session.js';

/** The tasks that run in the background, as hooks see them. */
export function runningTasks({ backgroundTasks }: Session): JsonObject[] {
  return backgroundTasks.map(({ task_id: id, description, subagent_type }) => ({
    ...{ id, type: 'subagent', status: 'running', description, agent_type: subagent_type },
  }));
}
