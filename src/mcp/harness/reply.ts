import type { ConversationEvent } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import type { Turn } from '@understudy/stage';

export type ReplyStatus = 'running' | 'done' | 'error';

/** What came, or will come, of something that was said: it has its id before it has its end. */
export class Reply {
  readonly id: string;
  readonly sessionId: string;
  readonly prompt: string;
  readonly startedAt = new Date();
  /** Resolves when the turn is over, however it ended. */
  readonly settled: Promise<void>;
  readonly #listeners = new Set<(event: ConversationEvent) => void>();
  #turn: Turn | undefined;
  #error: unknown;
  #status: ReplyStatus = 'running';
  #events = 0;

  constructor(id: string, sessionId: string, prompt: string, turn: Promise<Turn>) {
    this.id = id;
    this.sessionId = sessionId;
    this.prompt = prompt;
    this.settled = turn.then(
      (ended) => {
        this.#turn = ended;
        this.#status = 'done';
      },
      (error: unknown) => {
        this.#error = error;
        this.#status = 'error';
      },
    );
  }

  get status(): ReplyStatus {
    return this.#status;
  }

  /** How many events the turn has brought so far. */
  get events(): number {
    return this.#events;
  }

  /** The whole turn, once it is there. Throws what kept it from ending. */
  get turn(): Turn | undefined {
    if (this.#status !== 'error') return this.#turn;
    if (this.#error instanceof UnderstudyError) throw this.#error;
    throw new UnderstudyError('HARNESS_TURN_FAILED', `the turn could not be played: ${String(this.#error)}`, {
      cause: this.#error,
      fix: 'Look at the history of the conversation, and start a new one.',
    });
  }

  /** Calls back for each event of the turn from now on; the result ends it. */
  onEvent(listener: (event: ConversationEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Wakes those who wait because something happened. */
  push(event: ConversationEvent): void {
    this.#events++;
    for (const listener of this.#listeners) listener(event);
  }

  /** Waits for the turn's end, but no longer than this. True when it is over. */
  async within(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#status !== 'running') return true;
    if (signal?.aborted) return false;
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    const interrupted = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
      abort = resolve;
      signal?.addEventListener('abort', abort, { once: true });
    });
    await Promise.race([this.settled, interrupted]);
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
    return this.status !== 'running';
  }
}
