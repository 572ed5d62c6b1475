import type { ErrorCode } from './error-codes/error-codes.js';

export type { ErrorCode } from './error-codes/error-codes.js';

/** Where in a file something is wrong; lines and columns count from 1. */
export interface SourceLocation {
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** The field, where its line is not known. */
  path?: string | undefined;
}

export interface ErrorDetails {
  /** How to fix it, as an instruction that starts with a verb. */
  fix?: string;
  location?: SourceLocation;
  cause?: unknown;
}

/**
 * An error of ours: the harness could not do its job. It has a stable code and nearly always a fix. Failures that a
 * scenario asks for are data (`Failure`), never this.
 */
export class UnderstudyError extends Error {
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly location: SourceLocation | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'UnderstudyError';
    this.code = code;
    this.fix = details.fix;
    this.location = details.location;
  }
}

/** One problem of a file. A file is always read to its end, so there can be many. */
export interface Problem {
  code: ErrorCode;
  message: string;
  fix?: string;
  /** The name that the field must have, where that is certain. */
  new_name?: string;
  /** The address inside the document, such as `responses[2].turns[0].expect`. */
  path: string;
  location: SourceLocation;
  /** The lines around the location, with a marker below it. */
  frame?: string;
}

/** A document that cannot be used, with all of its problems. */
export class InvalidDocumentError extends UnderstudyError {
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, what: string, problems: readonly Problem[]) {
    const first = problems[0];
    super(code, `${what} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}`, {
      ...(first?.fix === undefined ? {} : { fix: first.fix }),
      ...(first === undefined ? {} : { location: first.location }),
    });
    this.name = 'InvalidDocumentError';
    this.problems = problems;
  }
}

/** `file:line:column`, as far as known; where no line is, `file: path`. */
export function formatLocation(location: SourceLocation | undefined): string {
  const { file, line, column, path } = location ?? {};
  if (line === undefined && path !== undefined && path !== '') return [file, path].filter(Boolean).join(': ');
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
