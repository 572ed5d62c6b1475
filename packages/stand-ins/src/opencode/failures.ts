import { defined } from '@understudy/kit';
import type { Failure } from '@understudy/script';

/** How OpenCode reports a failed model: an error, or a step that just stops. */
export type FailureReport = ErrorReport | { kind: 'cut_off' };

export interface ErrorReport {
  kind: 'error';
  name: string;
  data: Record<string, unknown>;
  /** How many answers have begun before it. */
  starts?: number;
  /** How often it is reported. */
  times?: number;
}

/** How often OpenCode asks before it gives up an answer that it cannot read. */
const ATTEMPTS = 6;

/** What OpenCode reports after its last retry. */
export function reportFailure(failure: Failure): FailureReport {
  switch (failure.type) {
    case 'auth_error':
      return apiError(401, failure.message ?? 'Invalid API key', false);
    case 'forbidden':
      return apiError(403, failure.message ?? 'Forbidden', false);
    case 'model_not_found':
      return apiError(404, failure.message ?? 'The model does not exist', false);
    case 'rate_limit':
      return apiError(429, failure.message ?? 'Rate limited', true);
    case 'out_of_credits':
      return apiError(429, failure.message ?? 'Insufficient credits', true);
    case 'context_length':
      return {
        kind: 'error',
        name: 'ContextOverflowError',
        data: { message: failure.message ?? 'Prompt is too long' },
        // By the session, and by what would make it shorter.
        times: 2,
      };
    case 'server_error':
      return apiError(500, failure.message ?? 'Internal server error', true);
    case 'overloaded':
      return apiError(529, failure.message ?? 'Overloaded', true);
    case 'network_unreachable':
    case 'connection_refused':
    case 'connection_timeout':
    case 'stall':
      return apiError(
        undefined,
        'Cannot connect to API: Unable to connect. Is the computer able to access the url?',
        true,
      );
    case 'connection_reset':
      return apiError(undefined, 'Connection reset by server', true);
    case 'malformed_json':
      return {
        kind: 'error',
        name: 'UnknownError',
        data: {
          message: `JSON parsing failed: Text: ${failure.raw}.\nError message: JSON Parse error${parseProblem(failure.raw)}`,
        },
        starts: ATTEMPTS,
      };
    // OpenCode does not notice an HTML page or half an answer with status 200.
    case 'partial_response':
    case 'html_response':
      return { kind: 'cut_off' };
  }
}

/** The script has no answer: the scripted model server refuses the request. */
export function unansweredReport(problem: string): ErrorReport {
  return apiError(418, `understudy: ${problem}`, false);
}

function apiError(statusCode: number | undefined, message: string, isRetryable: boolean): ErrorReport {
  return {
    kind: 'error',
    name: 'APIError',
    data: { message, ...defined({ statusCode }), isRetryable },
  };
}

/** In the words of OpenCode's engine, as far as they are known. */
function parseProblem(raw: string): string {
  return (raw.match(/"/g) ?? []).length % 2 === 1 ? ': Unterminated string' : '';
}
