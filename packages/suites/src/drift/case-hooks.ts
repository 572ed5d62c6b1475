import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { isObject, type JsonObject, parseJson } from '@understudy/kit';
import type { WebAnswer } from './case.js';

/** Headers that a hook is configured to send. */
const OWN_HEADER = /^(authorization|content-type|x-.*)$/;

/** A server that hooks of type `http` ask: it gives its answers one after the other, and the last one again. */
export interface HookServer {
  url: string;
  /** The payloads that it was sent, each with how. */
  payloads: JsonObject[];
  close(): Promise<void>;
}

export async function startHookServer(answers: readonly WebAnswer[]): Promise<HookServer> {
  const payloads: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const { method = '', url = '', headers } = request;
    const answer = answers[Math.min(payloads.length, answers.length - 1)] ?? {};
    const payload = parseJson(body);
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => OWN_HEADER.test(name)));
    payloads.push({ ...(isObject(payload) ? payload : { body }), sent: { as: `${method} ${url}`, headers: own } });
    if (answer.never === true) return;
    const said = typeof answer.body === 'object' ? JSON.stringify(answer.body) : (answer.body ?? '');
    response.writeHead(answer.status ?? 200, answer.headers).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payloads,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
