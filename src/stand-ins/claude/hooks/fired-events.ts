import type { HookEventName } from '../../../claude-code/hooks/events.js';

/**
 * The events that the stand-in fires, and Notification, which it does not: in print mode the real CLI sends one only about
 * what an MCP server asks. Hooks of other events are named, because they never run.
 */
export const FIRED_EVENTS: ReadonlySet<HookEventName> = new Set([
  ...([
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'PermissionRequest',
    'PermissionDenied',
  ] as const),
  ...(['Setup', 'SessionStart', 'SessionEnd', 'UserPromptSubmit', 'UserPromptExpansion', 'MessageDisplay'] as const),
  ...(['Notification', 'CwdChanged', 'PreModelSwitch', 'PostModelSwitch'] as const),
  ...(['Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact'] as const),
  ...(['TaskCreated', 'TaskCompleted'] as const),
]);
