import {
  type ConversationEvent,
  type EventOf,
  type HookDecision,
  type HookRecording,
  judgeHook,
  readOutput,
} from '@understudy/agents';
import { defined } from '@understudy/kit';

/** What a hook kept from happening. */
export type BlockedAction =
  | { kind: 'tool'; callId?: string; tool: string; input: Record<string, unknown> }
  | { kind: 'prompt'; text: string }
  | { kind: 'stop' }
  | { kind: 'other' };

/** One run of a hook in a conversation. */
export interface HookExecution {
  event: string;
  /** `PreToolUse:Write`, as the CLI names it. */
  name: string;
  turn?: number;
  command?: string;
  /** Absent where the hook's own side was not recorded. */
  stdin?: string;
  stdout: string;
  stderr: string;
  exitCode?: number;
  milliseconds?: number;
  outcome: string;
  decision: HookDecision;
  blocked: boolean;
  reason?: string;
  action?: BlockedAction;
  /** Who reported it: the CLI's stream, the recorder, or both. */
  seenBy: 'stream' | 'recorder' | 'both';
}

/** Every hook that ran in a conversation: the CLI's account and the hook's own side, brought together. */
export function hookLog(
  events: readonly ConversationEvent[],
  recordings: readonly HookRecording[] = [],
): HookExecution[] {
  const left = [...recordings];
  const told = events
    .filter((event): event is EventOf<'hook_finished'> & ConversationEvent => event.type === 'hook_finished')
    .map((hook) => {
      const at = left.findIndex((recording) => isSame(hook, recording));
      const [recording] = at === -1 ? [] : left.splice(at, 1);
      return { execution: execution(events, hook, recording), at: Date.parse(hook.at) };
    });
  // SessionEnd runs when the stream is closed already; only its own side reports it.
  const untold = left.map((recording) => ({
    execution: execution(events, undefined, recording),
    at: recording.startedAt.getTime() + recording.milliseconds,
  }));
  return [...told, ...untold].sort((a, b) => a.at - b.at).map((entry) => entry.execution);
}

function isSame(hook: EventOf<'hook_finished'>, recording: HookRecording): boolean {
  const subject = hook.name.slice(hook.event.length + 1);
  if (hook.event !== recording.event) return false;
  if (subject !== '' && !Object.values(recording.payload).includes(subject)) return false;
  const { problem } = readOutput(recording.event, recording.stdout);
  // The CLI then reports what is wrong, in place of what the hook wrote.
  if (problem !== undefined && hook.stderr.startsWith(problem.what)) return true;
  if (hook.stdout !== recording.stdout) return false;
  return hook.outcome === 'cancelled' || (hook.stderr === recording.stderr && hook.exitCode === recording.exitCode);
}

function execution(
  events: readonly ConversationEvent[],
  hook: EventOf<'hook_finished'> | undefined,
  recording: HookRecording | undefined,
): HookExecution {
  const event = hook?.event ?? recording?.event ?? 'unknown';
  const stdout = recording?.stdout ?? hook?.stdout ?? '';
  const stderr = recording?.stderr ?? hook?.stderr ?? '';
  const exitCode = hook?.exitCode ?? recording?.exitCode;
  const outcome = hook?.outcome ?? (exitCode === undefined ? 'cancelled' : exitCode === 0 ? 'success' : 'error');
  const judgment = judgeHook({
    ...{ event, label: recording?.command ?? '', stdout, stderr },
    exitCode: exitCode ?? 0,
    outcome: outcome === 'cancelled' || outcome === 'error' ? outcome : 'success',
  });
  const { decision, blocked, reason } = judgment;
  const action = blocked ? blockedAction(events, event, hook, recording) : undefined;
  return {
    event,
    name: hook?.name ?? event,
    ...defined({ turn: hook?.turn }),
    ...(recording === undefined
      ? {}
      : { command: recording.command, stdin: recording.stdin, milliseconds: recording.milliseconds }),
    stdout,
    stderr,
    ...defined({ exitCode }),
    outcome,
    decision,
    blocked,
    ...defined({ reason, action }),
    seenBy: hook === undefined ? 'recorder' : recording === undefined ? 'stream' : 'both',
  };
}

/** Which action it was: by the payload, or by the call that came last before the hook ended. */
function blockedAction(
  events: readonly ConversationEvent[],
  event: string,
  hook: EventOf<'hook_finished'> | undefined,
  recording: HookRecording | undefined,
): BlockedAction {
  const before = hook === undefined ? events : events.filter(({ seq }) => seq < hook.seq);
  switch (event) {
    case 'PreToolUse':
    case 'PermissionRequest': {
      const calls = before.filter((one): one is EventOf<'tool_call'> & ConversationEvent => one.type === 'tool_call');
      const id = recording?.payload['tool_use_id'];
      const tool = hook?.name.slice(event.length + 1);
      const call = calls.findLast((one) => (id === undefined ? one.tool === tool : one.id === id));
      if (call !== undefined) return { kind: 'tool', callId: call.id, tool: call.tool, input: call.input };
      return { kind: 'tool', tool: tool ?? String(recording?.payload['tool_name'] ?? ''), input: {} };
    }
    case 'UserPromptSubmit':
    case 'UserPromptExpansion': {
      const prompt = before.findLast((one) => one.type === 'prompt');
      return {
        kind: 'prompt',
        text: prompt?.type === 'prompt' ? prompt.text : String(recording?.payload['prompt'] ?? ''),
      };
    }
    case 'Stop':
    case 'SubagentStop':
      return { kind: 'stop' };
    default:
      return { kind: 'other' };
  }
}
