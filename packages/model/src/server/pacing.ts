import { setTimeout as sleep } from 'node:timers/promises';
import { type Pace, pacing } from '@understudy/script';
import type { Frame } from './wire/protocol.js';

/** Waits, unless the client has left. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

/** Yields frames at the pace of a model: a delay before the first token, then a fixed rate. */
export async function paced(
  frames: readonly Frame[],
  pace: Pace,
  signal: AbortSignal,
  send: (text: string) => void,
): Promise<void> {
  const waitFor = pacing(pace);
  for (const { text, tokens } of frames) {
    if (tokens > 0) await pause(waitFor(tokens), signal);
    if (signal.aborted) return;
    send(text);
  }
}
