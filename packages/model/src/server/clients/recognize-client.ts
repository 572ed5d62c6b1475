import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from './client.js';
import { library } from './library.js';

/** Which of the clients sent this; anything else is a program that uses a client library. */
export function recognizeClient(clients: readonly Client[], headers: IncomingHttpHeaders): Client {
  return clients.find((client) => client.recognizes(headers)) ?? library;
}
