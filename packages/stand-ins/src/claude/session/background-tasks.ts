import { join } from 'node:path';
import { sessionTemp } from '@understudy/agents';
import type { Session } from './session.js';

/** Whether subagents and commands may run in the background. */
export function allowsBackground(session: Session): boolean {
  return !/^(?:1|true|yes|on)$/i.test(session.environment()['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'] ?? '');
}

/** The file that the CLI names for what a task writes. */
export function outputFileOf({ id, parts }: Session, taskId: string): string {
  return join(sessionTemp(parts.env, parts.cwd, id), 'tasks', `${taskId}.output`);
}
