import { hookTimeoutMs } from '../../../claude-code/hooks/command.js';
import type { Hook } from '../../../claude-code/hooks/hook.js';
import type { Session } from '../session/session.js';

/** How long a hook that asks somebody is waited for, and what ends the waiting. */
export function waitingFor({ parts }: Session, hook: Hook, interrupt: AbortSignal | undefined) {
  const timeoutMs = hookTimeoutMs(hook, parts.script.scenario.document.timeouts?.hook_timeout_ms);
  const limit = AbortSignal.timeout(timeoutMs);
  return { timeoutMs, limit, signal: interrupt === undefined ? limit : AbortSignal.any([interrupt, limit]) };
}
