import { setTimeout as sleep } from 'node:timers/promises';

/** What is short has ended after this, however busy the machine is. */
const SHORT_MS = 500;

/** Gives what runs in the background a moment to end before the agent speaks again. */
export async function waitBriefly(ended: readonly Promise<unknown>[]): Promise<void> {
  if (ended.length > 0) await Promise.race([Promise.all(ended), sleep(SHORT_MS, undefined, { ref: false })]);
}
