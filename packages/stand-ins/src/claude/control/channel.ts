import { defined, isObject, type JsonObject } from '@understudy/kit';
import { writeOut } from '../../shared/write-out.js';
import { type Host, HostError } from '../output/host.js';
import { uuid } from '../output/ids.js';
import type { UserMessage } from '../session/user-message.js';

const CLOSED = 'the host has closed the connection';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The control channel: requests and answers in both directions, between the lines of the session. */
export class ControlChannel implements Host {
  readonly #waiting = new Map<string, Waiting>();
  readonly waiting: UserMessage[] = [];
  isClosed = false;

  /** Sends a request to the host, and waits for the answer. */
  async ask(request: JsonObject, signal?: AbortSignal): Promise<unknown> {
    if (this.isClosed) throw new HostError(CLOSED);
    const id = uuid();
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const cancel = (): void => {
      this.#send({ type: 'control_cancel_request', request_id: id });
      this.#waiting.get(id)?.reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#send({ type: 'control_request', request_id: id, request });
    try {
      return await answer;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Handles an answer of the host. */
  settle(response: unknown): void {
    if (!isObject(response)) return;
    const waiting = this.#waiting.get(String(response['request_id']));
    if (response['subtype'] === 'error') waiting?.reject(new HostError(String(response['error'])));
    else waiting?.resolve(response['response']);
  }

  /** Answers a request of the host. */
  succeed(requestId: string, response?: JsonObject, more: JsonObject = {}): void {
    const answer = {
      subtype: 'success',
      request_id: requestId,
      ...defined({ response }),
      ...more,
    };
    this.#send({ type: 'control_response', response: answer });
  }

  refuse(requestId: string, error: string, fields: JsonObject = {}): void {
    this.#send({
      type: 'control_response',
      response: { subtype: 'error', request_id: requestId, error, ...fields },
    });
  }

  /** The host is gone: rejects all open requests. */
  close(): void {
    this.isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new HostError(CLOSED));
  }

  #send(message: JsonObject): void {
    writeOut(1, `${JSON.stringify(message)}\n`);
  }
}
