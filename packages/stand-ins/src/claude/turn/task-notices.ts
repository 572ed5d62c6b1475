import { escapeTags } from '@understudy/agents';
import { fire } from '../hooks/fire-if-any.js';
import type { TaskNotice } from '../session/background.js';
import type { Session } from '../session/session.js';

/** Where the CLI says that such a prompt comes from. */
export const NOTICE_ORIGIN = { kind: 'task-notification', producer: 'session-task' } as const;

/** How a task has ended, for the agent. */
interface TaskEnding {
  id: string;
  toolUseId: string;
  outputFile: string;
  status: string;
  summary: string;
  /** What follows the summary. */
  more?: readonly string[];
}

/** How the agent receives the end of a task: with its next tool results, or in a turn of its own. */
export function noticeText({ id, toolUseId, outputFile, status, summary, more = [] }: TaskEnding): string {
  return [
    '<task-notification>',
    `<task-id>${id}</task-id>`,
    `<tool-use-id>${toolUseId}</tool-use-id>`,
    `<output-file>${outputFile}</output-file>`,
    `<status>${status}</status>`,
    `<summary>${escapeTags(summary)}</summary>`,
    ...more,
    '</task-notification>',
  ].join('\n');
}

/** Sends the agent the ended tasks next to its tool results. Hooks see each as a prompt. */
export async function absorbNotices(
  session: Session,
  notices: readonly TaskNotice[],
  signal: AbortSignal,
): Promise<void> {
  for (const notice of notices) {
    session.background.markDelivered(notice);
    await fire(session, 'UserPromptSubmit', { prompt: notice.text }, signal);
    const said = session.turn.hookLinesOfPrompt;
    session.turn.hookLinesOfPrompt = [];
    session.out.write(said);
  }
}
