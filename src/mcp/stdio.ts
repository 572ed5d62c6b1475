import { pipeline, type Readable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { defined, runAllSteps, UnderstudyError } from '@understudy/kit';
import { buildServer } from './build-server.js';
import type { HarnessOptions } from './harness/harness.js';
import { holdHarness } from './harness-holder.js';
import { type LeftOutLine, LineLimit, LONGEST_LINE } from './line-limit.js';

/** Pipes that report when they are closed, by whichever side. */
class WatchedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #tell: () => void;

  constructor(input: Readable) {
    // The input holds back lines that are too long; several that are not may arrive at once.
    super(input, process.stdout, { maxBufferSize: 4 * LONGEST_LINE });
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
  const holder = holdHarness({ ...options, version });
  const input = new LineLimit((line) => onError?.(refuseLine(line)));
  pipeline(process.stdin, input, () => {});
  const transport = new WatchedTransport(input);
  const handle = serveStdio(() => buildServer(holder, version), {
    transport,
    ...defined({ onerror: onError }),
  });
  await Promise.race([transport.closed, stop]);
  await runAllSteps([() => handle.close(), () => holder.close('the client left'), () => process.stdin.destroy()]);
}

/** Informs the client that its message was left out. The session goes on. */
function refuseLine({ id }: LeftOutLine): UnderstudyError {
  const megabytes = LONGEST_LINE / 1024 / 1024;
  const refusal = new UnderstudyError('MCP_MESSAGE_TOO_LONG', `a message has more than ${megabytes} MB`, {
    fix: 'Send less at once: name files instead of sending what is in them.',
  });
  const { code, message, fix } = refusal;
  const error = { code: -32600, message: `${code}: ${message}`, data: { code, message, fix } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  return refusal;
}
