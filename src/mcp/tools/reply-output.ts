import type { ConversationEvent } from '@understudy/agents';
import { defined } from '@understudy/kit';
import * as z from 'zod';
import type { HeldConversation } from '../harness/held-conversation.js';
import type { Reply } from '../harness/reply.js';
import type { ToolContext } from '../tool.js';

/** What is known of a turn, while it runs and when it is over. */
export const replyOutput = {
  session_id: z.string(),
  status: z
    .enum(['running', 'completed', 'failed', 'interrupted', 'timed_out', 'died'])
    .describe('"completed" is the only success; "running" means ask again'),
  response: z.string().describe('all that the agent said to the user in this turn'),
  reason: z.string().optional().describe('why it is not completed: unknown_command, api_error, blocked_by_hook …'),
  message: z.string().optional(),
  workflow_stage: z.string().optional(),
  transitions: z.array(z.string()),
  tools_used: z.array(
    z.object({ id: z.string(), tool: z.string(), status: z.string(), result: z.string().optional() }),
  ),
  hooks: z.array(z.object({ name: z.string(), blocked: z.boolean(), exit_code: z.number().optional() })),
  files_changed: z.array(z.object({ path: z.string(), change: z.string() })),
  commits: z.array(z.object({ hash: z.string(), message: z.string() })),
  command: z
    .object({
      name: z.string(),
      status: z.enum(['expanded', 'local', 'unknown']),
      expansion: z.string().optional().describe('the text that the model got in its place'),
    })
    .optional(),
  milliseconds: z.number(),
};

const replySchema = z.object(replyOutput);
export type ReplyOutput = z.infer<typeof replySchema>;

/** Results of tools are cut: the history has them whole. */
const RESULT_LENGTH = 500;

/** Describes a reply as it stands. Throws what kept its turn from ending. */
export function describeReply(held: HeldConversation, reply: Reply): ReplyOutput {
  const { turn } = reply;
  if (turn === undefined) {
    const stage = held.workflow?.label;
    return {
      session_id: held.id,
      status: 'running',
      response: held.conversation.snapshot().turn.response,
      ...defined({ workflow_stage: stage }),
      ...{ transitions: [], tools_used: [], hooks: [], files_changed: [], commits: [] },
      milliseconds: Date.now() - reply.startedAt.getTime(),
    };
  }
  const { command } = turn;
  return {
    session_id: held.id,
    status: turn.outcome,
    response: turn.text,
    ...defined({ reason: turn.reason, message: turn.message, workflow_stage: turn.workflowStage }),
    transitions: turn.transitions.map(({ from, to }) => `${from} -> ${to}`),
    tools_used: turn.tools.map(({ id, tool, status, result }) => ({
      id,
      tool,
      status: status ?? 'no result',
      ...defined({ result: result?.slice(0, RESULT_LENGTH) }),
    })),
    hooks: turn.hooks.map(({ name, blocked, exitCode }) => ({
      name,
      blocked,
      ...defined({ exit_code: exitCode }),
    })),
    files_changed: turn.files.map(({ path, change }) => ({ path, change })),
    commits: turn.commits.map(({ hash, message }) => ({ hash, message })),
    ...(command === undefined
      ? {}
      : {
          command: {
            name: command.name,
            status: command.status,
            ...defined({ expansion: command.expansion }),
          },
        }),
    milliseconds: turn.milliseconds,
  };
}

/** A turn in words. */
export function replyText({ status, response, reason, message, workflow_stage, tools_used }: ReplyOutput): string {
  const why = [reason, message].filter((part) => part !== undefined).join(': ');
  return [
    `${status}${why === '' ? '' : ` (${why})`}${workflow_stage === undefined ? '' : `, workflow stage ${workflow_stage}`}`,
    ...(tools_used.length === 0 ? [] : [`tools: ${tools_used.map((use) => `${use.tool} ${use.status}`).join(', ')}`]),
    ...(response === '' ? [] : ['', response]),
  ].join('\n');
}

/** Waits for a reply, informs the client how it goes, and stops the agent when the client no longer wants it. */
export async function waitForReply(
  held: HeldConversation,
  reply: Reply,
  milliseconds: number,
  { signal, progress }: ToolContext,
): Promise<void> {
  const stopListening = reply.onEvent((event) => {
    const message = progressOf(event);
    if (message !== undefined) progress(message);
  });
  try {
    await reply.within(milliseconds, signal);
    if (signal.aborted) await held.cancel();
  } finally {
    stopListening();
  }
}

function progressOf(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text.slice(0, 200);
    case 'tool_call':
      return `${event.tool} …`;
    case 'tool_result':
      return `${event.tool}: ${event.status}`;
    case 'hook_finished':
      return `hook ${event.name}: ${event.blocked ? 'blocked' : event.outcome}`;
    case 'retry':
      return `the agent asks its model again: ${event.message}`;
    default:
      return undefined;
  }
}
