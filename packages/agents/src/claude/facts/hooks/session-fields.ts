import { defined } from '@understudy/kit';
import { type HookEventName, hookEventFacts } from './events.js';
import type { HookInput } from './hook.js';

/** What the payload of every event can contain of the session. */
export interface PayloadSession {
  sessionId: string;
  transcriptPath: string;
  cwd: string;
  /** Absent before the first prompt. */
  promptId?: string | undefined;
  mode: string;
  /** Absent where the model has none. */
  effort: string | undefined;
  /** The subagent that it is about, or the agent that the session was started as. */
  agent?: { agent_id?: string | undefined; agent_type?: string | undefined };
}

/** The fields that all payloads have in common. */
export function sessionFields(event: HookEventName, session: PayloadSession): HookInput {
  const { tells, beforePrompts } = hookEventFacts(event);
  const { effort } = session;
  return {
    session_id: session.sessionId,
    transcript_path: session.transcriptPath,
    cwd: session.cwd,
    ...(beforePrompts ? {} : defined({ prompt_id: session.promptId })),
    ...(tells === 'mode' || tells === 'mode and effort' ? { permission_mode: session.mode } : {}),
    ...defined({ ...session.agent }),
    ...(effort !== undefined && (tells === 'effort' || tells === 'mode and effort')
      ? { effort: { level: effort } }
      : {}),
    hook_event_name: event,
  };
}
