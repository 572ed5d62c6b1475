import { importPart, UnderstudyError } from '@understudy/kit';
import type { Reporter } from './reporter.js';

/** What a user's module exports: a reporter, or a function that makes one. Each method may be absent, or take its time. */
export type OwnReporter = { [Method in keyof Reporter]?: (...args: Parameters<Reporter[Method]>) => unknown };

const METHODS = ['start', 'begin', 'step', 'end', 'finish'] as const;
/** How long its work may go on after the run. */
const PATIENCE_MS = 60_000;

/** Loads the reporter of a user; `target` is what stands behind `=`. */
export async function loadReporter(module: string, target: string | undefined): Promise<OwnReporter> {
  const exported = await importPart(module, 'reporter');
  const made = typeof exported === 'function' ? await make(exported, module, target) : exported;
  if (isReporter(made)) return made;
  throw new UnderstudyError('PART_UNUSABLE', `${module} exports no reporter: it has none of ${METHODS.join(', ')}`, {
    fix: 'Export an object with some of these methods, or a function that gives one.',
    location: { file: module },
  });
}

async function make(exported: object, module: string, target: string | undefined): Promise<unknown> {
  try {
    return await (exported as (options: { target?: string | undefined }) => unknown)({ target });
  } catch (error) {
    throw failed(module, 'could not be made', error);
  }
}

function isReporter(value: unknown): value is OwnReporter {
  const methods = value as Record<string, unknown> | null;
  return typeof value === 'object' && METHODS.some((name) => typeof methods?.[name] === 'function');
}

interface Surroundings {
  /** Called with work that goes on after the end. */
  onPending(work: Promise<void>): void;
  /** Called once, with the first error; afterwards the reporter receives nothing more. */
  onError(error: UnderstudyError): void;
}

/** A user's reporter as one of ours: what it throws is an error that names it, and never ends the run. */
export function ownReporter(own: OwnReporter, name: string, { onPending, onError }: Surroundings): Reporter {
  let isBroken = false;
  // In the order of the run, also where it takes its time.
  let work: Promise<unknown> = Promise.resolve();
  const fail = (method: string, error: unknown): void => {
    if (!isBroken) onError(failed(name, `failed in ${method}()`, error));
    isBroken = true;
  };
  const pass = (method: (typeof METHODS)[number], ...args: unknown[]): void => {
    work = work.then(async () => {
      if (isBroken) return;
      try {
        await (own[method] as ((...args: unknown[]) => unknown) | undefined)?.apply(own, args);
      } catch (error) {
        fail(method, error);
      }
    });
  };
  return {
    start: (run) => pass('start', run),
    begin: (entry) => pass('begin', entry),
    step: (entry, number, total, what) => pass('step', entry, number, total, what),
    end: (entry, result) => pass('end', entry, result),
    finish(run) {
      pass('finish', run);
      onPending(within(work, () => fail('finish', new Error(`it had not ended after ${PATIENCE_MS / 1000} s`))));
    },
  };
}

async function within(work: Promise<unknown>, onLate: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onLate();
      resolve();
    }, PATIENCE_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function failed(name: string, what: string, cause: unknown): UnderstudyError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new UnderstudyError('PART_FAILED', `the reporter ${name} ${what}: ${why}`, {
    fix: 'Correct the reporter. The run itself is not affected.',
    location: { file: name },
    cause,
  });
}
