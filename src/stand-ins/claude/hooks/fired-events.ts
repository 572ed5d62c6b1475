import type { HookEventName } from '../../../claude-code/hooks/events.js';

/** The events that the stand-in fires. Hooks of other events are named, because they never run. */
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
  ...(['TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult', 'InstructionsLoaded'] as const),
]);
