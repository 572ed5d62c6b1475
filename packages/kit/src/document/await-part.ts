import { AsyncLocalStorage } from 'node:async_hooks';
import { callPart } from './call-part.js';

interface Waiting {
  patienceMs: number;
  /** When it aborts, what was called has a moment to end. */
  signal: AbortSignal;
  /** How long that moment is. */
  endMs?: number;
}

/** So long it may take to clear up after its signal. */
const END_MS = 5_000;

/**
 * As `callPart`, for what takes its time: what has not settled when the time is over is an error. So is `process.exit`, for
 * as long as the part does anything: it would end the run as if all were well.
 */
export async function awaitPart<T>(
  action: () => T | Promise<T>,
  { patienceMs, signal, endMs = END_MS }: Waiting,
): Promise<T> {
  guardExit();
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const late = () => fail(new Error(`it had not ended after ${patienceMs / 1000} s`));
  const timers = [setTimeout(late, patienceMs)];
  const onAbort = () => timers.push(setTimeout(() => fail(new Error('it went on after its signal')), endMs));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([parts.run(fail, async () => callPart(action)), failed]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** What runs on behalf of a part, however late. */
const parts = new AsyncLocalStorage<(error: Error) => void>();

let isGuarded = false;

/** From now on, `process.exit` is an error in parts. */
function guardExit(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { exit } = process;
  process.exit = (...code) => {
    const fail = parts.getStore();
    // Without an argument, the code is that of `process.exitCode`.
    if (fail === undefined) return exit(...code);
    const error = new Error(`it called process.exit(${code[0] ?? ''})`);
    fail(error);
    throw error;
  };
}

/** Ends the process when all is written: a part may have left a timer or a server that would keep it for ever. */
export function endWithParts(): void {
  if (!isGuarded) return;
  const end = () => setTimeout(() => process.exit(), 500).unref();
  process.stdout.write('', () => process.stderr.write('', end));
}
