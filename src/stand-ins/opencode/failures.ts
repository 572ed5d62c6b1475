import { defined } from '../../document/defined.js';
import type { Failure } from '../../scenario/schema.js';

/** How OpenCode reports a failed model: an error, or a step that just stops. */
export type FailureReport = { kind: 'error'; name: string; data: Record<string, unknown> } | { kind: 'cut_off' };

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
      return apiError(402, failure.message ?? 'Insufficient credits', false);
    case 'context_length':
      return apiError(400, failure.message ?? 'Prompt is too long', false);
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
      return unknownError(`JSON parsing failed: Text: ${failure.raw}.\nError message: JSON Parse error`);
    // OpenCode does not notice an HTML page or half an answer with status 200.
    case 'partial_response':
    case 'html_response':
      return { kind: 'cut_off' };
  }
}

function apiError(statusCode: number | undefined, message: string, isRetryable: boolean): FailureReport {
  return {
    kind: 'error',
    name: 'APIError',
    data: { message, ...defined({ statusCode }), isRetryable },
  };
}

function unknownError(message: string): FailureReport {
  return { kind: 'error', name: 'UnknownError', data: { message } };
}
