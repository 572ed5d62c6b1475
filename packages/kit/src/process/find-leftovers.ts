import { setTimeout as sleep } from 'node:timers/promises';
import { ENDING_NAME } from './ending.js';
import { describeProcess, isAlive } from './process-table.js';
import { REAPER_NAME } from './reaper.js';

/** A process that has been killed is gone after this time. */
const DYING_MS = 50;
/** Longer than a reaper takes, or a CLI that was asked to end. */
const LONGEST_MS = 3000;

/** Those of the processes that a child left which go on running, as command lines. */
export async function describeLeftovers(found: readonly number[]): Promise<string[]> {
  // What was killed a moment ago needs a moment to go.
  if (found.length > 0) await sleep(DYING_MS);
  // A stand-in or a loop of ours that was killed has a reaper that clears up behind it, and then ends. An agent that its
  // program has asked to end is no process that was forgotten.
  for (let waited = 0; waited < LONGEST_MS && found.some(endsSoon); waited += DYING_MS) await sleep(DYING_MS);
  return found.flatMap((pid) => (isAlive(pid) ? (describeProcess(pid) ?? []) : []));
}

function endsSoon(pid: number): boolean {
  const title = isAlive(pid) ? describeProcess(pid) : undefined;
  return title?.endsWith(`${REAPER_NAME} (${pid})`) === true || title?.startsWith(`${ENDING_NAME} `) === true;
}
