import { fire } from '../hooks/fire-if-any.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import type { TaskNotice } from '../session/task-notice.js';
import type { SubagentEnd, SubagentTask } from './play-subagent.js';
import { newToolsNote, toolsUsed } from './used-tools.js';

/** Where the CLI says that such a prompt comes from. */
export const NOTICE_ORIGIN = { kind: 'task-notification', producer: 'session-task' } as const;

/** Keeps for the agent that a subagent has ended: it hears of it with its next tool results, or in a turn of its own. */
export function queueNotice(session: Session, task: SubagentTask, end: SubagentEnd): void {
  const { own, tokens, duration, summary, status } = end;
  const text = [
    '<task-notification>',
    `<task-id>${task.agentId}</task-id>`,
    `<tool-use-id>${task.toolUseId}</tool-use-id>`,
    `<output-file>${task.outputFile}</output-file>`,
    `<status>${status}</status>`,
    `<summary>Agent "${task.description}" ${status === 'completed' ? 'finished' : `failed: ${summary}`}</summary>`,
    '<note>A task-notification fires each time this agent stops with no live background children of its own. The user can send it another message and resume it, so the same task-id may notify more than once.</note>',
    ...(status === 'failed'
      ? []
      : [
          `<result>${summary}</result>`,
          `<usage><subagent_tokens>${tokens}</subagent_tokens><tool_uses>${own.tools.length}</tool_uses><duration_ms>${duration}</duration_ms></usage>`,
        ]),
    '</task-notification>',
  ].join('\n');
  const timestamp = session.parts.clock.timestamp();
  const usage = { totalTokens: tokens, toolUses: own.tools.length, durationMs: duration };
  const reminders = newToolsNote(session, toolsUsed(session, own));
  session.notices.push({ text, runId: task.runId, usage, timestamp, reminders });
  session.transcript.addLines({ type: 'queue-operation', operation: 'enqueue', timestamp, content: text });
}

/** Tells the agent of ended tasks beside its tool results. Hooks see each as a prompt. */
export async function absorbNotices(
  session: Session,
  notices: readonly TaskNotice[],
  signal: AbortSignal,
): Promise<void> {
  for (const notice of notices) {
    await fire(session, 'UserPromptSubmit', { prompt: notice.text }, signal);
    const said = session.saidOfPrompt;
    session.saidOfPrompt = [];
    const [commandUuid, deliveryId] = [uuid(), uuid()];
    session.transcript.addLines({
      type: 'queue-operation',
      operation: 'remove',
      timestamp: session.parts.clock.timestamp(),
      content: notice.text,
      reason: 'absorbed_mid_turn',
      commandUuid,
      deliveryId,
    });
    session.write([
      {
        type: 'attachment',
        attachment: {
          type: 'queued_command',
          prompt: notice.text,
          source_uuid: commandUuid,
          delivery_id: deliveryId,
          commandMode: 'task-notification',
          origin: NOTICE_ORIGIN,
          runId: notice.runId,
          timestamp: notice.timestamp,
          usage: notice.usage,
        },
        timestamp: notice.timestamp,
      },
      ...said,
    ]);
  }
}
