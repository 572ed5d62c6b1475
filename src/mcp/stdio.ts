import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { runAllSteps } from '../process/teardown.js';
import { buildServer } from './build-server.js';
import type { HarnessOptions } from './harness/harness.js';
import { holdHarness } from './harness-holder.js';

/** Pipes that tell when they are closed, by whichever side. */
class WatchedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #tell: () => void;

  constructor() {
    super();
    let tell: () => void = () => {};
    this.closed = new Promise((resolve) => {
      tell = resolve;
    });
    this.#tell = tell;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#tell();
  }
}

export interface StdioOptions extends HarnessOptions {
  version: string;
  /** Resolves when we are to stop, whatever the client does. */
  stop: Promise<unknown>;
  onError?: (error: Error) => void;
}

/** Serves one client on stdin and stdout until it leaves; then everything that it had is gone. */
export async function serveOverStdio({ version, stop, onError, ...options }: StdioOptions): Promise<void> {
  const holder = holdHarness(options);
  const transport = new WatchedTransport();
  const handle = serveStdio(() => buildServer(holder, version), {
    transport,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  const left = new Promise<void>((resolve) => {
    process.stdin.once('end', () => resolve());
    process.stdin.once('close', () => resolve());
  });
  await Promise.race([transport.closed, left, stop]);
  await runAllSteps([() => handle.close(), () => holder.close('the client left'), () => process.stdin.destroy()]);
}
