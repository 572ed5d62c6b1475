import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

/** The parts of a conversation in which hooks fire. */
export type HookPlace = 'start' | 'step' | 'end';

const STEP_EVENTS: ReadonlySet<string> = new Set([
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionRequest', 'PermissionDenied'],
  ...['UserPromptSubmit', 'UserPromptExpansion', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop'],
  ...['PreCompact', 'PostCompact'],
]);

/** Where hooks of an event fire; nothing for those that fire anywhere. `/clear` ends a session and starts one in a turn. */
export function hookPlace({ event, on }: { event: string; on?: string | undefined }): HookPlace | undefined {
  if (event === 'SessionStart') return on === 'clear' || on === 'compact' ? 'step' : 'start';
  if (event === 'SessionEnd') return on === 'clear' ? 'step' : 'end';
  if (event === 'Setup') return 'start';
  return STEP_EVENTS.has(event) ? 'step' : undefined;
}

/** The result of a hook check, unless it looks at a turn and the hook fires before or after all turns. */
export function ifInItsPlace(
  { turn }: Observed,
  hook: { event: string; on?: string | undefined },
  result: CheckResult,
): CheckResult {
  const place = hookPlace(hook);
  const isOneTurn = turn.some(({ type }) => type === 'prompt') && new Set(turn.map((event) => event.turn)).size === 1;
  if (!isOneTurn || place === undefined || place === 'step') return result;
  return {
    ...result,
    status: 'unjudged',
    actual: `${hook.event} fires ${place === 'start' ? 'before the first turn' : 'after the last turn'}`,
    suggestion:
      place === 'start'
        ? 'Look at the start: `[start.expect]` in a rehearsal, `conversation.start` in a test.'
        : 'Look at the end: `[end.expect]` in a rehearsal, `conversation.ending` after `end()` in a test.',
  };
}
