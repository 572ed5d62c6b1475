import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineScenario } from '../../packages/script/src/load.js';
import { type ModelServer, startModelServer } from '../../src/public/model-server.js';
import { tally } from '../helpers/attack.js';
import { fuzzInputs, seedOr } from '../helpers/seeded.js';

const SEED = seedOr(20_261_115);
const BODIES = fuzzInputs(1_000);
const LIMIT = 64 * 1024;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let server: ModelServer;

beforeAll(async () => {
  const scenario = defineScenario({
    responses: [
      {
        pattern: { type: 'regex', pattern: '^[aeiou]' },
        response: { text: 'A vowel.', tool_calls: [{ tool: 'shell', input: { command: 'true' } }] },
      },
    ],
  });
  server = await startModelServer({ scenario, bodyLimit: LIMIT, journal: { keep: 10 } });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

interface Reply {
  status: number;
  type: string;
  text: string;
}

function send(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        port: server.port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': server.key, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** Words that matter to the protocols, so that bodies get past the first look. */
const word = fc.constantFrom(
  ...[
    'role',
    'user',
    'assistant',
    'system',
    'tool',
    'developer',
    'model',
    'content',
    'parts',
    'text',
    'type',
    'message',
    'messages',
  ],
  ...[
    'tool_result',
    'tool_use_id',
    'tool_call_id',
    'function_call_output',
    'call_id',
    'output',
    'functionResponse',
    'id',
    'name',
  ],
  ...[
    'stream',
    'tools',
    'function',
    'parameters',
    'properties',
    'required',
    'input_schema',
    'input',
    'contents',
    'apple',
    '<system-reminder>',
  ],
);
const leaf = fc.oneof(
  word,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'json' },
    leaf,
    fc.array(tie('value'), { maxLength: 5, depthIdentifier: 'json' }),
    fc.dictionary(fc.oneof(word, fc.string({ maxLength: 8 })), tie('value'), { maxKeys: 6, depthIdentifier: 'json' }),
  ),
}));
const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'input_text'), text: fc.string() }),
  fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.string(), content: value }),
  fc.record({ functionResponse: fc.record({ name: word, response: value }) }),
  value,
);
const often = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: value });
const message = fc.record(
  {
    role: often(fc.constantFrom('user', 'user', 'assistant', 'system', 'tool', 'developer', 'model')),
    type: often(fc.constantFrom('message', 'function_call_output')),
    content: often(fc.oneof(fc.string(), fc.array(part, { maxLength: 4 }))),
    parts: often(fc.array(part, { maxLength: 4 })),
    call_id: value,
    output: value,
    tool_call_id: value,
  },
  { requiredKeys: ['role'] },
);
const messages = often(fc.array(message, { maxLength: 5 }));
const body = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        {
          model: value,
          stream: fc.oneof(fc.boolean(), value),
          messages,
          input: messages,
          contents: messages,
          tools: value,
          system: value,
          generationConfig: value,
        },
        { requiredKeys: [] },
      )
      .map((json) => JSON.stringify(json)),
  },
  { weight: 2, arbitrary: value.map((json) => JSON.stringify(json) ?? 'undefined') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(value, fc.nat()).map(([json, cut]) => (JSON.stringify(json) ?? '').slice(0, cut % 100)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
);

const parsed = (text: string) => JSON.parse(text) as { [key: string]: unknown };

const bodies = fc.sample(body, { numRuns: BODIES, seed: SEED });

/** Each vendor's error, as its documentation has it. */
const anthropicError = (json: { [key: string]: unknown }) =>
  expect(json).toEqual({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } });
const openaiError = (json: { [key: string]: unknown }) => {
  expect(json).toEqual({
    error: expect.objectContaining({ message: expect.any(String), type: expect.any(String), param: null }),
  });
  expect(Object.keys(json['error'] as object).sort()).toEqual(['code', 'message', 'param', 'type']);
};
const geminiError = (json: { [key: string]: unknown }, status: number) =>
  expect(json).toEqual({
    error: { code: status, message: expect.any(String), status: expect.stringMatching(/^[A-Z_]+$/) },
  });

const endpoints: [
  path: string,
  isError: (json: { [key: string]: unknown }, status: number) => void,
  answer: string,
  end: string,
][] = [
  ['/v1/messages?beta=true', anthropicError, 'content', 'event: message_stop'],
  ['/v1/messages/count_tokens', anthropicError, 'input_tokens', ''],
  ['/v1/chat/completions', openaiError, 'choices', 'data: [DONE]'],
  ['/v1/responses', openaiError, 'output', 'event: response.completed'],
  ['/v1beta/models/g:generateContent', geminiError, 'candidates', ''],
  ['/v1beta/models/g:streamGenerateContent?alt=sse', geminiError, '', '"finishReason":"STOP"'],
  ['/v1beta/models/g:countTokens', geminiError, 'totalTokens', ''],
];

describe.each(endpoints)('%s', (path, isError, answer, end) => {
  it(`answers ${BODIES} strange bodies, each with an answer or a well-formed error`, { timeout: 180_000 }, async () => {
    const seen = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 16 }, async (_, lane) => {
        for (let index = lane; index < bodies.length; index += 16) {
          const sent = bodies[index] ?? '';
          const { status, type, text } = await send(path, sent);
          seen.set(status, (seen.get(status) ?? 0) + 1);
          const where = `body ${index}: ${sent.toString().slice(0, 300)}`;
          expect([200, 400, 418], where).toContain(status);
          if (status !== 200) isError(parsed(text), status);
          else if (type.startsWith('text/event-stream')) expect(text, where).toContain(end);
          else expect(parsed(text), where).toHaveProperty(answer);
        }
      }),
    );
    // The bodies are strange enough to be refused, and like enough to be read.
    expect(seen.get(400)).toBeGreaterThan(BODIES / 10);
    expect((seen.get(200) ?? 0) + (seen.get(418) ?? 0)).toBeGreaterThan(BODIES / 50);
    tally('strange requests', path.replace(/\?.*/, ''), BODIES);
  });
});

it('refuses a body over the limit, in the words of the protocol', async () => {
  for (const [path, isError] of endpoints) {
    const { status, text } = await send(path, JSON.stringify({ messages: 'x'.repeat(LIMIT) }));
    expect(status).toBe(413);
    isError(parsed(text), 413);
  }
});

it('refuses encodings that it does not know, and bombs', async () => {
  const { gzipSync } = await import('node:zlib');
  const unknown = await send('/v1/messages', 'x', { 'content-encoding': 'zstd' });
  expect(unknown.status).toBe(415);
  const bomb = await send('/v1/messages', gzipSync(Buffer.alloc(10 * LIMIT)), { 'content-encoding': 'gzip' });
  expect(bomb.status).toBe(413);
  const fine = await send(
    '/v1/chat/completions',
    gzipSync(JSON.stringify({ messages: [{ role: 'user', content: 'xyz' }] })),
    { 'content-encoding': 'gzip' },
  );
  expect(fine.status).toBe(418);
});

it('survives clients that speak no HTTP, hang up, or come to the wrong door', async () => {
  const { connect } = await import('node:net');
  for (const noise of [
    '\0\x01\x02garbage\r\n\r\n',
    'POST /v1/messages HTTP/1.1\r\ncontent-length: 100\r\n\r\nhalf',
    'GET / HTTP/9.9\r\n\r\n',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write(noise, () => setTimeout(() => socket.destroy(), 20)),
      );
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }
  const lost = await send('/v1/nowhere', '{}');
  expect(lost.status).toBe(404);
  openaiError(parsed(lost.text));
  expect((await send('/v1/messages', '{"messages":[{"role":"user","content":"xyz"}]}')).status).toBe(418);
});
