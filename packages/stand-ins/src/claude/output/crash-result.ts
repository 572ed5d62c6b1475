import type { OutputEvent } from './formats.js';
import { uuid } from './ids.js';
import { fullUsage, noTokens } from './usage.js';

/** The result line of a session that could not begin, or broke off: nothing in it is counted. */
export function crashResult(sessionId: string, errors: readonly string[]): OutputEvent {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    session_id: sessionId,
    total_cost_usd: 0,
    usage: fullUsage(noTokens()),
    modelUsage: {},
    permission_denials: [],
    uuid: uuid(),
    errors,
    result_index: 0,
  };
}
