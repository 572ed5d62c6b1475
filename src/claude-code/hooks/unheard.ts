import type { HookEventName } from './events.js';
import type { Hook } from './hook.js';

/** The events at which a kind of hook does nothing: before a session has begun, or after its end. */
const UNHEARD: Partial<Record<Hook['run']['type'], readonly HookEventName[]>> = {
  prompt: ['Setup', 'SessionStart', 'SubagentStart', 'SessionEnd'],
  agent: ['Setup', 'SessionStart', 'SubagentStart', 'SessionEnd'],
  http: ['Setup', 'SessionStart'],
  mcp_tool: ['Setup', 'SessionStart', 'SessionEnd'],
};

/** Whether the CLI does not run, or cannot run, hooks of this type at this event. */
export function isUnheard(event: string, type: string): boolean {
  return UNHEARD[type as Hook['run']['type']]?.some((name) => name === event) === true;
}
