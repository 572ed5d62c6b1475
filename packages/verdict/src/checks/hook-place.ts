import { hookEventFacts } from '@understudy/agents';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

/** The parts of a conversation in which hooks fire. */
export type HookPlace = 'start' | 'step' | 'end';

/** Where hooks of an event fire; nothing for those that fire anywhere. `/clear` ends a session and starts one in a turn. */
export function hookPlace({ event, on }: { event: string; on?: string | undefined }): HookPlace | undefined {
  if (event === 'SessionStart' && (on === 'clear' || on === 'compact')) return 'step';
  if (event === 'SessionEnd' && on === 'clear') return 'step';
  return hookEventFacts(event).place;
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
