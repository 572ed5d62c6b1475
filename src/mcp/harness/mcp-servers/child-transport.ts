import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { Child, type ChildOptions, type Exit } from '@understudy/kit';

const POLITE_MS = 2000;
const KEPT_ERROR_LINES = 50;

/** MCP over the pipes of a child process; ending it ends everything that the server started. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: Omit<ChildOptions, 'input' | 'onLine' | 'onErrorLine'>;
  readonly #errors: string[] = [];
  #child: Child | undefined;
  #exit: Exit | undefined;

  constructor(options: Omit<ChildOptions, 'input' | 'onLine' | 'onErrorLine'>) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.mainPid;
  }

  get hasEnded(): boolean {
    return this.#exit !== undefined;
  }

  /** How it ended and the last that it wrote to stderr. */
  describeEnd(): string {
    const how =
      this.#exit === undefined ? 'it is running' : `it ended with ${this.#exit.signal ?? `exit ${this.#exit.code}`}`;
    return this.#errors.length === 0 ? how : `${how}; it wrote: ${this.#errors.join('\n')}`;
  }

  async start(): Promise<void> {
    this.#child = await Child.start({
      ...this.#options,
      input: 'open',
      onLine: (line) => this.#line(line),
      onErrorLine: (line) => {
        this.#errors.push(line);
        if (this.#errors.length > KEPT_ERROR_LINES) this.#errors.shift();
      },
      onExit: (exit) => {
        this.#exit = exit;
        this.onclose?.();
      },
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.write(`${JSON.stringify(message)}\n`);
  }

  /** Closes its input, as the protocol says, and kills it when that is not enough. */
  async close(): Promise<void> {
    this.#child?.closeInput();
    await this.#child?.exitWithin(POLITE_MS, 'the server was stopped');
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line) as JSONRPCMessage;
    } catch {
      this.onerror?.(new Error(`the server wrote something that is no JSON: ${line.slice(0, 200)}`));
      return;
    }
    // A server that says nonsense must not end us with it.
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
