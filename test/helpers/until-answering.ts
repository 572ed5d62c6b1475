import { expect } from 'vitest';
import type { Conversation } from '../../packages/stage/src/conversation/conversation.js';

/** Waits until the model has the first prompt: then the turn is in the middle of its work. */
export async function untilAnswering({ server }: Conversation): Promise<void> {
  const { usage, scenario } = server?.script ?? expect.unreachable();
  const rules = scenario.document.responses?.length ?? 0;
  await expect.poll(() => usage.unused().length, { timeout: 60_000 }).toBeLessThan(rules);
}
