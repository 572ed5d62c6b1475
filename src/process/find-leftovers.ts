import { setTimeout as sleep } from 'node:timers/promises';
import { GUARD_NAME } from './guard.js';
import { describeProcess, isAlive } from './process-table.js';

/** A process that has been killed is gone after this time. */
const DYING_MS = 50;
/** Longer than a guard takes. */
const GUARD_MS = 3000;

/** Those of the processes that a child left which go on running, as command lines. */
export async function describeLeftovers(found: readonly number[]): Promise<string[]> {
  // What was killed a moment ago needs a moment to go.
  if (found.length > 0) await sleep(DYING_MS);
  // A stand-in or a loop of ours that was killed has a guard that clears up behind it, and then ends.
  for (let waited = 0; waited < GUARD_MS && found.some(isGuard); waited += DYING_MS) await sleep(DYING_MS);
  return found.flatMap((pid) => (isAlive(pid) ? (describeProcess(pid) ?? []) : []));
}

function isGuard(pid: number): boolean {
  return isAlive(pid) && describeProcess(pid)?.endsWith(`${GUARD_NAME} (${pid})`) === true;
}
