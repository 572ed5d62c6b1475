import { UnderstudyError } from '@understudy/kit';
import type { Harness, HarnessOptions } from './harness/harness.js';

/** The harness of one client: made when it is first needed, gone when the client goes. */
export interface HarnessHolder {
  get(): Promise<Harness>;
  /** The harness, if there is one already. */
  peek(): Harness | undefined;
  close(reason: string): Promise<void>;
}

export function holdHarness(options: HarnessOptions): HarnessHolder {
  let harness: Harness | undefined;
  let closed = false;
  return {
    async get() {
      const { Harness } = await import('./harness/harness.js');
      if (closed) throw new UnderstudyError('MCP_SESSION_ENDED', 'the session has ended', { fix: 'Connect again.' });
      harness ??= new Harness(options);
      return harness;
    },
    peek: () => harness,
    async close(reason) {
      closed = true;
      await harness?.close(reason);
    },
  };
}
