import { formatLocation, InvalidDocumentError, type Problem, UnderstudyError } from '../errors.js';

/** An error of ours as plain text: what, where, every problem with its frame, and how to fix it. */
export function describeError(error: unknown): string {
  if (!(error instanceof UnderstudyError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const { code, message, fix } = error;
  if (error instanceof InvalidDocumentError) {
    return [`${code}: ${message}`, ...error.problems.map(describeProblem)].join('\n\n');
  }
  const location = formatLocation(error.location);
  return [
    `${code}: ${message}`,
    ...(location === '' || message.includes(location) ? [] : [`at ${location}`]),
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
  ].join('\n');
}

/** A problem, also one that was read from a stored result. */
type DescribableProblem = { [Key in keyof Omit<Problem, 'code'>]: Problem[Key] | undefined } & {
  code: string;
};

/** One problem of a document: where, what, its lines, its fix. */
export function describeProblem({ location, path, message, code, frame, fix }: DescribableProblem): string {
  return [
    `${formatLocation(location) || path || 'document'} ${message} [${code}]`,
    ...(frame === undefined ? [] : [frame.replace(/^(?=.)/gm, '  ')]),
    ...(fix === undefined ? [] : [`  fix: ${fix}`]),
  ].join('\n');
}
