import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectSlug } from '../../../claude-code/config-paths.js';
import type { Session } from './session.js';

/** Whether subagents and commands may run in the background. */
export function allowsBackground(session: Session): boolean {
  return !/^(?:1|true|yes|on)$/i.test(session.environment()['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'] ?? '');
}

/** The file that the CLI names for what a task writes. */
export function outputFileOf({ id, parts }: Session, taskId: string): string {
  const temporary = parts.env['CLAUDE_CODE_TMPDIR'] ?? tmpdir();
  return join(temporary, `claude-${process.getuid?.() ?? 0}`, projectSlug(parts.cwd), id, 'tasks', `${taskId}.output`);
}
