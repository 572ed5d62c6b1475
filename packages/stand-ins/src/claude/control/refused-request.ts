import type { JsonObject } from '@understudy/kit';

/** A request that is refused, with a code for the host. */
export class RefusedRequest extends Error {
  /** What the answer says beside the message. */
  readonly fields: JsonObject;

  constructor(message: string, code: string, more: JsonObject = {}) {
    super(message);
    this.fields = { error_code: code, ...more };
  }
}
