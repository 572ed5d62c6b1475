import { type ErrorKind, gemini } from '@understudy/model';
import type { Failure } from '@understudy/script';

/** What Gemini CLI makes of a request that failed for good. */
export interface ApiFailure {
  /** What its error says. */
  message: string;
  /** The kind of the error, as it prints it on stderr. */
  name: string;
  /** The HTTP status; absent where no answer came. */
  status?: number;
  /** The exit code with an output for programs. */
  exitCode: number;
  /** What it adds for its user. */
  advice?: string;
}

/** An answer that ended too early: said, but no failure of the program. */
export interface InvalidStream {
  invalidStream: string;
  errorType: string;
  /** What the requests behind it have cost, as far as they are not counted yet. */
  repeatedFor: readonly number[];
}

const KINDS: Partial<Record<Failure['type'], ErrorKind>> = {
  auth_error: 'auth',
  forbidden: 'forbidden',
  model_not_found: 'model_not_found',
  rate_limit: 'rate_limit',
  out_of_credits: 'out_of_credits',
  context_length: 'context_length',
  server_error: 'server_error',
  overloaded: 'overloaded',
};

/** Its settings on the scripted model allow two attempts. */
export const ATTEMPTS = 2;

const QUOTA_ADVICE =
  '\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method';

/** Whether Gemini CLI repeats a request that failed so. */
export function isRepeated(failure: Failure): boolean {
  const { type } = failure;
  if (type === 'connection_reset') return failure.partial_text !== undefined;
  return ['rate_limit', 'out_of_credits', 'server_error', 'overloaded', 'stall', 'partial_response'].includes(type);
}

/** The line about an attempt that is repeated, for failures that the server reported. */
export function retryLine(failure: Failure): string | undefined {
  const told = answerOf(failure);
  if (told === undefined || !isRepeated(failure)) return undefined;
  const body = JSON.stringify(told.body);
  return `Attempt 1 failed with status ${told.status}. Retrying with backoff... _ApiError: ${body} {\n  status: ${told.status}\n}`;
}

/** What becomes of a failure. */
export function failureOf(failure: Failure): ApiFailure | InvalidStream {
  switch (failure.type) {
    case 'partial_response':
      return {
        invalidStream: 'Model stream ended without a finish reason.',
        errorType: 'NO_FINISH_REASON',
        repeatedFor: [1, 1],
      };
    case 'stall':
      return unanswered('TypeError', 'terminated');
    case 'connection_reset':
      return failure.partial_text === undefined ? unreachable() : unanswered('TypeError', 'terminated');
    case 'malformed_json':
      return unanswered('SyntaxError', parseError(failure.raw));
    case 'html_response':
      return unanswered('Error', 'Incomplete JSON segment at the end');
    case 'network_unreachable':
    case 'connection_refused':
    case 'connection_timeout':
      return unreachable();
    default:
      return reportedFailure(failure);
  }
}

/** The script has no answer: the scripted model server refuses the request. */
export function unansweredFailure(problem: string): ApiFailure {
  const { status, body } = gemini.error('unanswered', `understudy: ${problem}`);
  return { message: JSON.stringify(body), name: '_ApiError', status, exitCode: status % 256 };
}

function reportedFailure(failure: Failure): ApiFailure {
  const told = answerOf(failure);
  if (told === undefined) return unreachable();
  const { status, body } = told;
  const { message } = (body as { error: { message: string } }).error;
  if (status === 404) return { message, name: 'ModelNotFoundError', exitCode: 1 };
  // Quota errors are reported in words, everything else as it came.
  if (status === 429 || status === 503) {
    const advice = status === 429 ? { advice: QUOTA_ADVICE } : {};
    return { message, name: 'RetryableQuotaError', status, exitCode: status % 256, ...advice };
  }
  return { message: JSON.stringify(body), name: '_ApiError', status, exitCode: status % 256 };
}

function answerOf(failure: Failure): ReturnType<typeof gemini.error> | undefined {
  const kind = KINDS[failure.type];
  return kind === undefined ? undefined : gemini.error(kind, 'message' in failure ? failure.message : undefined);
}

function unreachable(): ApiFailure {
  return unanswered('Error', 'exception TypeError: fetch failed sending request');
}

function unanswered(name: string, message: string): ApiFailure {
  return { name, message, exitCode: 1 };
}

function parseError(raw: string): string {
  try {
    JSON.parse(raw);
    return 'Incomplete JSON segment at the end';
  } catch (error) {
    return (error as Error).message;
  }
}
