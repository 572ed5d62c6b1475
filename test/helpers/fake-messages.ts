import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says to one request: tool calls, or a closing text. */
export type FakeAnswer = string | { tool: string; input: Record<string, unknown> };

export interface FakeMessages {
  url: string;
  /** Bodies of the requests that were answered, as sent. */
  requests: string[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function eventStream(answer: FakeAnswer, number: number): string {
  const block =
    typeof answer === 'string'
      ? { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: answer }, stop: 'end_turn' }
      : {
          start: { type: 'tool_use', id: `toolu_${number}`, name: answer.tool, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) },
          stop: 'tool_use',
        };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-fake', content: [] };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: 'content_block_start', index: 0, content_block: block.start },
    { type: 'content_block_delta', index: 0, delta: block.delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: block.stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** The smallest Messages API that a CLI can talk to: it gives the answers in order, and the last one for ever. */
export async function fakeMessages(answers: readonly FakeAnswer[]): Promise<FakeMessages> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) return response.writeHead(404).end();
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 'Done.';
    requests.push(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(eventStream(answer, requests.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
