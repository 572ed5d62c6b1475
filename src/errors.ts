import type { ErrorCode } from './error-codes/error-codes.js';

export type { ErrorCode } from './error-codes/error-codes.js';

/** Where in a file something is wrong; lines and columns count from 1. */
export interface Place {
  file?: string;
  line?: number;
  column?: number;
}

export interface ErrorDetails {
  /** What the reader can do about it, as an instruction. */
  fix?: string;
  place?: Place;
  cause?: unknown;
}

/**
 * An error of ours: the harness could not do its job. It always has a stable code, and nearly
 * always a way out. Failures that a scenario asks us to serve are data (`Failure`), never this.
 */
export class UnderstudyError extends Error {
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly place: Place | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'UnderstudyError';
    this.code = code;
    this.fix = details.fix;
    this.place = details.place;
  }
}

/** One thing that is wrong in a file. A file is read to its end, so there may be many. */
export interface Problem {
  code: ErrorCode;
  message: string;
  fix?: string;
  /** The address inside the document, such as `responses[2].turns[0].expect`. */
  path: string;
  place: Place;
  /** The lines around the place with a marker below it. */
  frame?: string;
}

/** A document that cannot be used, with all of its problems. */
export class InvalidDocumentError extends UnderstudyError {
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, what: string, problems: readonly Problem[]) {
    const first = problems[0];
    super(code, `${what} has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}`, {
      ...(first?.fix === undefined ? {} : { fix: first.fix }),
      ...(first === undefined ? {} : { place: first.place }),
    });
    this.name = 'InvalidDocumentError';
    this.problems = problems;
  }
}

/** `file:line:column`, as far as known. */
export function formatPlace(place: Place | undefined): string {
  return [place?.file, place?.line, place?.column].filter((part) => part !== undefined).join(':');
}
