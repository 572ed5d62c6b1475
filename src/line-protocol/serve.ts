import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  asUnderstudyError,
  defined,
  describeError,
  InvalidDocumentError,
  isObject,
  locateProblems,
  UnderstudyError,
  validate,
  visible,
} from '@understudy/kit';
import { HarnessError } from '../testing/readable-error.js';
import { type Method, methodParams } from './params.js';
import { Session, type SessionOptions } from './session.js';

/** The number of the protocol. It changes when clients that know the old one would no longer work. */
const PROTOCOL = 1;

export interface ServeOptions extends SessionOptions {
  input: Readable;
  output: Writable;
  /** Resolves when we are to stop, whatever the client does. */
  stop: Promise<unknown>;
}

/** Answers requests, one JSON document in a line each, until the input ends; then everything that was started is gone. */
export async function serveLines({ input, output, stop, ...options }: ServeOptions): Promise<void> {
  const session = new Session(options);
  const write = (message: object) => output.write(`${JSON.stringify(message)}\n`);
  write({ protocol: PROTOCOL, understudy: options.version });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const ended = new Promise<void>((resolve) => lines.once('close', resolve));
  // Requests are answered side by side: a client with threads may have several conversations at once.
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    // A client that has gone needs no answer.
    answer(line, session)
      .then(write)
      .catch(() => {});
  });
  await Promise.race([ended, stop]);
  lines.close();
  await session.close();
}

async function answer(line: string, session: Session): Promise<object> {
  let id: unknown = null;
  try {
    const request = parse(line);
    id = request['id'] ?? null;
    return { id, result: await call(request, session) };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

function parse(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw badRequest('the line is not JSON', cause);
  }
  if (isObject(value)) return value;
  throw badRequest('the line is not a JSON object');
}

async function call({ method, params = {} }: Record<string, unknown>, session: Session): Promise<unknown> {
  if (typeof method !== 'string' || !Object.hasOwn(methodParams, method)) {
    throw badRequest(`there is no method ${JSON.stringify(method)}`);
  }
  const name = method as Method;
  const { value, findings } = validate(methodParams[name], params);
  if (value === undefined) {
    throw new InvalidDocumentError('PROTOCOL_BAD_REQUEST', method, locateProblems({}, findings));
  }
  return (session.methods[name] as (given: unknown) => unknown)(value);
}

function badRequest(message: string, cause?: unknown): UnderstudyError {
  return new UnderstudyError('PROTOCOL_BAD_REQUEST', message, {
    fix: `Send {"id": 1, "method": "…", "params": {…}} with one of ${Object.keys(methodParams).join(', ')}.`,
    ...defined({ cause }),
  });
}

/** `message` is the whole text, as a person should read it: code, places, fix. */
function describe(error: unknown): { code: string; message: string } {
  if (error instanceof HarnessError) return { code: error.code, message: error.message };
  const known = asUnderstudyError(error);
  return { code: known.code, message: visible(describeError(known)) };
}
