import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Step } from './claude-case.js';

/** A Messages API that says what it is told to, one answer after the other. */
export interface ClaudeModel {
  url: string;
  close(): Promise<void>;
}

const ERRORS: Record<string, { status: number; type: string; message: string; headers?: Record<string, string> }> = {
  auth_error: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: { status: 403, type: 'permission_error', message: 'Forbidden' },
  model_not_found: { status: 404, type: 'not_found_error', message: 'model: nothing' },
  rate_limit: { status: 429, type: 'rate_limit_error', message: 'Rate limited' },
  out_of_credits: {
    status: 400,
    type: 'invalid_request_error',
    message: 'Your credit balance is too low to access the Anthropic API.',
  },
  context_length: {
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 250000 tokens > 200000 maximum',
  },
  server_error: { status: 500, type: 'api_error', message: 'Internal server error' },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
};

export async function startClaudeModel(steps: readonly Step[]): Promise<ClaudeModel> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const isMessage = request.method === 'POST' && request.url?.startsWith('/v1/messages?') === true;
    if (!isMessage) return response.writeHead(404).end();
    const step = steps[Math.min(asked++, steps.length - 1)] ?? {};
    await new Promise((resolve) => setTimeout(resolve, step.delayMs ?? 0));
    answer(step, JSON.parse(body), request, response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  step: Step,
  body: { model: string },
  request: IncomingMessage,
  response: ServerResponse,
  id: number,
): void {
  const failure = step.fail;
  if (failure === 'connection_reset') {
    request.socket.destroy();
    return;
  }
  if (failure === 'malformed_json') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: message_start\ndata: {"type":\n\n');
    return;
  }
  const error = failure === undefined ? undefined : ERRORS[failure];
  if (error !== undefined) {
    const { status, type, message } = error;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error: { type, message } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = eventsOf(step, body.model, id);
  if (failure !== 'partial_response') {
    response.end(events.join(''));
    return;
  }
  // Everything but the end of the message, and then no more. A client that sees both at once drops the text, so a busy
  // machine gets a second to read it.
  response.write(events.slice(0, -2).join(''));
  setTimeout(() => request.socket.destroy(), 1000);
}

function eventsOf(step: Step, model: string, id: number): string[] {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
    service_tier: 'standard',
  };
  const blocks = blocksOf(step, id);
  const stop = blocks.some(({ start }) => start.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

interface Block {
  start: { type: string; [field: string]: unknown };
  deltas: { type: string; [field: string]: unknown }[];
}

function blocksOf({ thinking, say, tools = [] }: Step, id: number): Block[] {
  const blocks: Block[] = [];
  if (thinking !== undefined) {
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature: 'signed' },
      ],
    });
  }
  if (say !== undefined)
    blocks.push({ start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: say }] });
  for (const [index, { tool, input }] of tools.entries()) {
    blocks.push({
      start: { type: 'tool_use', id: `toolu_${id}_${index}`, name: tool, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
    });
  }
  return blocks;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
