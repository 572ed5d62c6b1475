import type { OutputEvent } from '../output/formats.js';
import { uuid } from '../output/ids.js';
import { fullUsage, noTokens } from '../output/usage.js';
import type { NoSuchSession } from './session-store.js';

/** The result line for a `--resume` that names no session. */
export function noSuchSessionResult(error: NoSuchSession): OutputEvent {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    session_id: error.sessionId,
    total_cost_usd: 0,
    usage: fullUsage(noTokens()),
    modelUsage: {},
    permission_denials: [],
    uuid: uuid(),
    errors: [error.message],
    result_index: 0,
  };
}
