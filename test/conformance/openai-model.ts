import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says: text, then tools; once their results are in, the closing text. */
export interface ModelAnswer {
  text?: string;
  tools?: [name: string, input: Record<string, unknown>][];
  closing?: string;
  status?: number;
  /** In place of all that: what it says first, then after the first results, and so on. */
  steps?: Pick<ModelAnswer, 'text' | 'tools'>[];
}

/** What a request has told the model. */
export interface ModelRequest {
  messages?: { role: string; content?: string | { type: string; text?: string }[] }[];
  tools?: { function: { name: string } }[];
}

/** A few lines of an OpenAI-compatible server, on loopback. */
export async function startOpenaiModel(
  answer: ModelAnswer,
): Promise<{ url: string; requests: ModelRequest[]; close(): void }> {
  const requests: ModelRequest[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      const asked = JSON.parse(body || '{}') as ModelRequest;
      const { messages = [] } = asked;
      requests.push(asked);
      if (answer.status !== undefined) return refuse(response, answer.status, answer.text ?? '');
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      if (answer.steps !== undefined) return say(response, answer.steps[answered] ?? {});
      say(response, messages.at(-1)?.role === 'tool' ? { text: answer.closing ?? '' } : answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => void server.close() };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
}

function say(response: ServerResponse, { text, tools }: ModelAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    );
  if (text !== undefined) send({ role: 'assistant', content: text }, null);
  const calls = (tools ?? []).map(([name, input], index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  if (calls.length > 0) send({ tool_calls: calls }, null);
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  send({}, calls.length > 0 ? 'tool_calls' : 'stop', { usage });
  response.end('data: [DONE]\n\n');
}
