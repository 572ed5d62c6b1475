import type { TaskNotice } from '../session/background.js';
import type { Session } from '../session/session.js';
import type { ToolRun } from '../tools/live-tool.js';
import { sessionTools } from './init-event.js';
import {
  announceEnd,
  announceTask,
  playSubagent,
  type SubagentContext,
  type SubagentEnd,
  type SubagentTask,
} from './play-subagent.js';
import { noticeText } from './task-notices.js';
import { newToolsNote, toolsUsed } from './used-tools.js';

const MAY_COME_AGAIN =
  '<note>A task-notification fires each time this agent stops with no live background children of its own. The user can send it another message and resume it, so the same task-id may notify more than once.</note>';

/**
 * Starts a subagent that nobody waits for. It works between two messages of the agent, so that a run is the same every
 * time; the real CLI lets both work at once.
 */
export function launchInBackground(context: SubagentContext, task: SubagentTask): ToolRun {
  const { session } = context;
  const { agentId, agentType, description, runId, prompt, model, outputFile } = task;
  const listed = { task_id: agentId, run_id: runId, task_type: 'local_agent', subagent_type: agentType, description };
  session.background.launch(listed, async () => {
    // Who interrupts the agent does not interrupt what works in the background.
    const end = await playSubagent({ ...context, signal: new AbortController().signal }, task);
    announceEnd(session, task, end);
    return noticeOf(session, task, end);
  });
  announceTask(session, task);
  const tools = sessionTools(session);
  const canReadOutputFile = tools.includes('Read') || tools.includes('Bash');
  const canContinueAgent = tools.includes('SendMessage');
  return {
    content: [{ type: 'text', text: launchedText(agentId, outputFile, { canReadOutputFile, canContinueAgent }) }],
    useResult: {
      ...{ isAsync: true, status: 'async_launched', agentId, description, resolvedModel: model, prompt, outputFile },
      ...{ canReadOutputFile, canContinueAgent },
    },
  };
}

/** The notice to the agent that the subagent has ended. */
function noticeOf(session: Session, task: SubagentTask, end: SubagentEnd): TaskNotice {
  const { agentId: id, toolUseId, outputFile, runId, description } = task;
  const { agent, own, tokens, duration, summary, status, limitNote } = end;
  const toolUses = own.tools.length;
  const used = toolsUsed(session, agent);
  const report = [
    `<result>${summary}</result>`,
    `<usage><subagent_tokens>${tokens}</subagent_tokens><tool_uses>${toolUses}</tool_uses><duration_ms>${duration}</duration_ms></usage>`,
  ];
  const reminders = newToolsNote(session, used);
  session.atWork.nameTools(used);
  const text = noticeText({
    ...{ id, toolUseId, outputFile, status },
    summary: `Agent "${description}" ${limitNote === undefined ? howItEnded(end) : stoppedAt(task)}`,
    more: [MAY_COME_AGAIN, ...(status === 'failed' ? [] : report)],
  });
  return { text, runId, reminders };
}

function howItEnded({ status, summary }: SubagentEnd): string {
  return status === 'completed' ? 'finished' : `failed: ${summary}`;
}

function stoppedAt({ definition }: SubagentTask): string {
  return `stopped at its ${definition?.maxTurns}-turn limit (partial result; SendMessage to task-id to continue)`;
}

function launchedText(
  agentId: string,
  outputFile: string,
  can: { canReadOutputFile: boolean; canContinueAgent: boolean },
): string {
  const how = ` Use SendMessage with to: '${agentId}', summary: '<5-10 word recap>' to continue this agent.`;
  return [
    'Async agent launched successfully. (This tool result is internal metadata — never quote or paste any part of it, including the agentId below, into a user-facing reply.)',
    `agentId: ${agentId} (internal ID - do not mention to user.${can.canContinueAgent ? how : ''})`,
    'The agent is working in the background. You will be notified automatically when it completes. You know nothing about its results until that notification arrives — do not report, assume, or predict them; continue other work or respond to the user in the meantime.',
    ...(can.canReadOutputFile
      ? [
          "Do not duplicate this agent's work — avoid working with the same files or topics it is using.",
          `output_file: ${outputFile}`,
          "Do NOT Read or tail this file via the shell tool — it is the full subagent JSONL transcript and reading it will overflow your context. If the user asks for progress, say the agent is still running; you'll get a completion notification.",
        ]
      : [
          'In your own words, briefly tell the user what you launched — do not echo this tool result. Agent results will arrive in a subsequent message. If the user asks for progress, say the agent is still running.',
        ]),
  ].join('\n');
}
