import { Script } from 'node:vm';

/** How long a function of a user's module may compute. */
const PATIENCE_MS = 10_000;

/** What `call` calls is kept in the first context of the process, which need not be ours: Jest has one of its own. */
const exchange = new Script(
  "(action, name = Symbol.for('understudy.part')) => { const before = globalThis[name]; globalThis[name] = action; return before; }",
);
const call = new Script("globalThis[Symbol.for('understudy.part')]()");

/**
 * Calls what a user wrote. It answers at once: what computes for ever is stopped after ten seconds, and `process.exit` is
 * an error like any other, so that neither makes a run hang or end as if all were well.
 */
export function callPart<T>(action: () => T, patienceMs = PATIENCE_MS): T {
  const { exit } = process;
  const keep = exchange.runInThisContext() as (action: unknown) => unknown;
  const before = keep(action);
  process.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ''})`);
  };
  try {
    return call.runInThisContext({ timeout: patienceMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`it had not ended after ${patienceMs / 1000} s`);
  } finally {
    process.exit = exit;
    keep(before);
  }
}
