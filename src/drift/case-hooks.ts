import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { parseJson } from '../document/json.js';
import type { WebAnswer } from './case.js';

/** What a hook of type `http` sent. */
export interface Posted {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  body: unknown;
}

/** A server that hooks of type `http` ask: it gives its answers one after the other, and the last one again. */
export interface HookServer {
  url: string;
  posted: Posted[];
  close(): Promise<void>;
}

export async function startHookServer(answers: readonly WebAnswer[]): Promise<HookServer> {
  const posted: Posted[] = [];
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const { method = '', url = '', headers } = request;
    const answer = answers[Math.min(posted.length, answers.length - 1)] ?? {};
    posted.push({ method, path: url, headers, body: parseJson(body) ?? body });
    if (answer.never === true) return;
    const said = typeof answer.body === 'object' ? JSON.stringify(answer.body) : (answer.body ?? '');
    response.writeHead(answer.status ?? 200, answer.headers).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
