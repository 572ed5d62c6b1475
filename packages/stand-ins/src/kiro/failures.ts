import type { Failure } from '@understudy/script';

/** What Kiro prints on stderr when its service fails. */
export function reportFailure(failure: Failure): string {
  const [exception, message] = serviceError(failure);
  return [
    'Kiro is having trouble responding right now: ',
    `   0: Failed to send the request: ${message}`,
    `   1: ${exception === '' ? message : `service error: ${exception}`}`,
    '',
  ].join('\n');
}

function serviceError(failure: Failure): [exception: string, message: string] {
  const said = 'message' in failure ? failure.message : undefined;
  switch (failure.type) {
    case 'auth_error':
      return ['AccessDeniedException', said ?? 'The credential is not valid.'];
    case 'forbidden':
      return ['AccessDeniedException', said ?? 'Your account is not authorized to make this call.'];
    case 'model_not_found':
      return ['ResourceNotFoundException', said ?? 'The model does not exist.'];
    case 'rate_limit':
      return ['ThrottlingException', said ?? 'Too many requests.'];
    case 'out_of_credits':
      return ['ServiceQuotaExceededException', said ?? 'The monthly limit has been reached.'];
    case 'context_length':
      return ['ValidationException', said ?? 'Input is too long.'];
    case 'server_error':
      return ['InternalServerException', said ?? 'An internal error occurred.'];
    case 'overloaded':
      return ['ThrottlingException', said ?? 'The model is overloaded.'];
    case 'network_unreachable':
      return ['', 'dispatch failure: network unreachable'];
    case 'connection_refused':
      return ['', 'dispatch failure: connection refused'];
    case 'connection_timeout':
    case 'stall':
      return ['', 'dispatch failure: request timed out'];
    case 'connection_reset':
    case 'partial_response':
      return ['', 'the response stream ended unexpectedly'];
    case 'malformed_json':
    case 'html_response':
      return ['', 'the response could not be deserialized'];
  }
}
