import { defined } from '@understudy/kit';
import type * as z from 'zod/mini';
import type { EventBodyOf } from '../events.js';
import { type ContentBlock, resultText, type userSchema } from './wire.js';

type ToolResultBlock = Extract<ContentBlock, { type: 'tool_result' }>;
type Status = EventBodyOf<'tool_result'>['status'];

/** What is known of a call before its result. */
export interface KnownCall {
  tool: string;
  /** The test denied it: the CLI reports its end like any error. */
  denied: boolean;
  /** Why hooks have blocked calls of this tool. */
  hookReasons: readonly string[];
}

/** The event of one tool result: did the tool run, fail, or was it kept from running, and by whom? */
export function toolResultEvent(
  block: ToolResultBlock,
  message: z.infer<typeof userSchema>,
  call: KnownCall,
): EventBodyOf<'tool_result'> {
  const { tool } = call;
  const text = resultText(block.content);
  const status = statusOf(block, message, text, call);
  const exitCode = tool === 'Bash' ? bashExitCode(status, text) : undefined;
  const why = status === 'denied' || status === 'blocked' ? decisionOf(block, message)?.reason_type : undefined;
  return {
    type: 'tool_result',
    id: block.tool_use_id,
    tool,
    text,
    status,
    ...defined({ exitCode, why }),
    ...(message.parent_tool_use_id ? { parent: message.parent_tool_use_id } : {}),
    ...defined({ agent: message.subagent_type }),
  };
}

function statusOf(
  block: ToolResultBlock,
  message: z.infer<typeof userSchema>,
  text: string,
  { denied, hookReasons }: KnownCall,
): Status {
  if (block.is_error !== true) return 'ok';
  if (denied) return 'denied';
  const decision = decisionOf(block, message);
  if (decision?.decision === 'reject') return decision.source === 'hook' ? 'blocked' : 'denied';
  // Releases without that field say it in words alone.
  if (/^(Error: )?PreToolUse:\S+ hook (error|blocking)/i.test(text) || /^Hook PreToolUse:\S+ denied/i.test(text)) {
    return 'blocked';
  }
  // They pass on only the reason of a hook that denied in JSON.
  if (hookReasons.includes(text.trim())) return 'blocked';
  if (/requested permissions|has been denied|permission to use/i.test(text)) return 'denied';
  return 'error';
}

function decisionOf({ tool_use_id: id }: ToolResultBlock, { tool_result_meta: meta }: z.infer<typeof userSchema>) {
  return meta?.find((one) => one.id === id)?.permission_decision;
}

function bashExitCode(status: Status, text: string): number | undefined {
  if (status === 'ok') return 0;
  const code = /^(?:Error: )?Exit code (\d+)/.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}
