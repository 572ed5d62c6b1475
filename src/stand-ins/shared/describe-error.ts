import { formatLocation, InvalidDocumentError, UnderstudyError } from '../../errors.js';

/** An error of ours for stderr: what, where, and how to fix it. */
export function describeError(error: unknown): string {
  if (!(error instanceof UnderstudyError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof InvalidDocumentError) {
    const problems = error.problems.map(
      ({ location, message, fix }) => `${formatLocation(location)} ${message}${fix === undefined ? '' : ` (${fix})`}`,
    );
    return [`${error.code}: ${error.message}`, ...problems].join('\n');
  }
  return `${error.code}: ${error.message}${error.fix === undefined ? '' : `\n${error.fix}`}`;
}
