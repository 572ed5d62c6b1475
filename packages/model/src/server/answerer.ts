import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ScriptUsage } from '@understudy/script';
import type { Client } from './clients/client.js';
import type { Notes } from './responder.js';
import type { Route } from './router.js';

/** A request to the server, read as a whole. */
export interface Received {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  body: Buffer;
  /** The clients that the server knows. */
  clients: readonly Client[];
}

/** Answers in the place of the script. */
export interface Answerer {
  /** Answers a request, and returns the notes for the journal. Undefined leaves the request to the script. */
  answer(received: Received): Promise<Notes | undefined>;
  /** What was not used, and what had no answer. */
  usage(): ScriptUsage;
  /** Called when the server has closed. */
  close?(): void | Promise<void>;
}
