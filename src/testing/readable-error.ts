import { asUnderstudyError, describeError, type ErrorCode, visible } from '@understudy/kit';

/** An error of the harness as the author of a test sees it: code, problems with frames and fix are in its message. */
export class HarnessError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, stack: string | undefined) {
    super(message);
    this.name = 'HarnessError';
    this.code = code;
    this.stack = [`HarnessError: ${message}`, ...framesOfTest(stack)].join('\n');
  }
}

/** Where our own code is: `dist` of the package, or its `src`. */
const [OWN = import.meta.url] = /^.*\/(?:dist|src)\//.exec(import.meta.url) ?? [];

/** Our own frames do not help the author of a test. */
function framesOfTest(stack = ''): string[] {
  const own = [OWN, OWN.replace('file://', '')];
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !own.some((folder) => line.includes(folder)));
}

/** The error as a test should show it. A fault of ours keeps its stack, which belongs into the report of it. */
export function toHarnessError(error: unknown): unknown {
  if (error instanceof HarnessError) return error;
  const known = asUnderstudyError(error);
  if (known.code === 'INTERNAL') return error;
  return new HarnessError(known.code, visible(describeError(known)), error instanceof Error ? error.stack : undefined);
}

/** A failure that happened nowhere in the code. */
export function withoutStack(message: string): Error {
  const error = new Error(visible(message));
  error.stack = `Error: ${error.message}`;
  return error;
}

/** Calls a function whose errors the author of a test will read. */
export function readably<T>(action: () => T): T {
  try {
    const result = action();
    return result instanceof Promise
      ? (result.catch((error: unknown) => {
          throw toHarnessError(error);
        }) as T)
      : result;
  } catch (error) {
    throw toHarnessError(error);
  }
}

/** Makes the errors of an object's methods readable. */
export function withReadableErrors<T extends object>(target: T, methods: readonly (keyof T)[]): T {
  for (const name of methods) {
    const method = target[name];
    if (typeof method !== 'function') continue;
    const value = function (this: unknown, ...args: unknown[]) {
      return readably(() => method.apply(this, args));
    };
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  return target;
}
