import Anthropic from '@anthropic-ai/sdk';
import { type Content, type FunctionDeclaration, GoogleGenAI, Type } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineScenario } from '../../packages/script/src/load.js';
import { type ModelServer, startModelServer } from '../../src/public/model-server.js';

const scenario = defineScenario({
  responses: [
    {
      pattern: { type: 'exact', text: 'hello' },
      response: { thinking: 'A greeting.', text: 'Hello — and welcome to the rehearsal of this scenario, friend.' },
    },
    {
      pattern: { type: 'contains', text: 'weather' },
      response: {
        text: 'Let me look.',
        tool_calls: [
          { tool: 'get_weather', input: { city: 'Paris' } },
          { tool: 'get_weather', input: { city: 'Rome', days: 3 } },
        ],
        then: [
          {
            expect: { type: 'contains', text: 'rain' },
            response: {
              text: 'Take an umbrella.',
              usage: { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3 },
            },
          },
          { response: 'Enjoy the sun.' },
        ],
      },
    },
    {
      pattern: { type: 'contains', text: 'too much' },
      response: { text: 'This is only the beg', stop_reason: 'max_tokens' },
    },
    { pattern: { type: 'contains', text: 'busy' }, response: 'Now I can.', failure: { type: 'overloaded', times: 1 } },
  ],
});

const HELLO = 'Hello — and welcome to the rehearsal of this scenario, friend.';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const;

let server: ModelServer;
const warn = vi.spyOn(console, 'warn');
const error = vi.spyOn(console, 'error');

beforeAll(async () => {
  server = await startModelServer({ scenario });
});
afterAll(() => server.close());
beforeEach(() => {
  warn.mockClear();
  error.mockClear();
});
afterEach(() => {
  expect(warn, 'the client library warned').not.toHaveBeenCalled();
  expect(error, 'the client library complained').not.toHaveBeenCalled();
});

describe("Anthropic's own client", () => {
  const client = () => new Anthropic({ baseURL: server.url, apiKey: server.key, maxRetries: 2 });
  const ask = { model: 'claude-opus-5-5', max_tokens: 1000 };

  it('gets a whole message', async () => {
    const message = await client().messages.create({ ...ask, messages: [{ role: 'user', content: 'hello' }] });
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'A greeting.', signature: expect.any(String) },
      { type: 'text', text: HELLO },
    ]);
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model: ask.model, stop_reason: 'end_turn' });
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  it('puts a stream together to the same message', async () => {
    const pieces: string[] = [];
    const stream = client().messages.stream({ ...ask, messages: [{ role: 'user', content: 'hello' }] });
    stream.on('text', (text) => pieces.push(text));
    const message = await stream.finalMessage();
    expect(message.content.at(-1)).toMatchObject({ type: 'text', text: HELLO });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(HELLO);
  });

  it.each([true, false])('runs a tool loop (stream: %s)', async (streaming) => {
    const tools = [
      { name: 'get_weather', description: 'weather', input_schema: { ...parameters, required: ['city'] } },
    ];
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'how is the weather?' }];
    const turn = () => {
      const request = { ...ask, tools, messages };
      return streaming ? client().messages.stream(request).finalMessage() : client().messages.create(request);
    };
    const first = await turn();
    expect(first.stop_reason).toBe('tool_use');
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls.map((call) => call.input)).toEqual([{ city: 'Paris' }, { city: 'Rome', days: 3 }]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
    messages.push({ role: 'assistant', content: first.content });
    messages.push({
      role: 'user',
      content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: 'rain' })),
    });
    const last = await turn();
    expect(last.content).toEqual([{ type: 'text', text: 'Take an umbrella.' }]);
    expect(last.usage).toMatchObject({ input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3 });
    expect(server.conversations.all()).not.toHaveLength(0);
  });

  it('retries an overloaded service by itself and sees typed errors', async () => {
    const answer = await client().messages.create({ ...ask, messages: [{ role: 'user', content: 'are you busy?' }] });
    expect(answer.content).toEqual([{ type: 'text', text: 'Now I can.' }]);
    const nothing = client().messages.create({ ...ask, messages: [{ role: 'user', content: 'nobody wrote this' }] });
    await expect(nothing).rejects.toThrow(/418.*no rule of the scenario answers the prompt .*nobody wrote this/);
    const broken = client().messages.create({ ...ask, messages: undefined as unknown as [] });
    await expect(broken).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });

  it('counts tokens and lists models', async () => {
    const count = await client().messages.countTokens({
      model: ask.model,
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(count.input_tokens).toBeGreaterThan(0);
    const models = await client().models.list();
    expect(models.data[0]?.type).toBe('model');
  });
});

describe("OpenAI's own client", () => {
  const client = () => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key, maxRetries: 1 });

  it('gets embeddings: the same for the same text, in both formats', async () => {
    const [first, second] = await Promise.all(
      [undefined, 'float' as const].map((encoding_format) =>
        client().embeddings.create({
          model: 'm',
          input: ['a', 'b', 'a'],
          dimensions: 8,
          ...(encoding_format && { encoding_format }),
        }),
      ),
    );
    const vectors = first?.data.map(({ embedding }) => embedding) ?? [];
    expect(vectors.map(({ length }) => length)).toEqual([8, 8, 8]);
    expect(vectors[2]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1, 5);
    expect(second?.data[0]?.embedding.map(Math.fround)).toEqual(vectors[0]);
  });

  it('is told by name what is not played', async () => {
    await expect(client().images.generate({ model: 'm', prompt: 'x' })).rejects.toThrow(
      'only models of text are played',
    );
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: server.key });
    await expect(anthropic.messages.batches.list()).rejects.toThrow(
      'message batches are not played; send each request',
    );
  });
  const model = 'gpt-5';

  it('completes a chat', async () => {
    const completion = await client().chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: HELLO },
    });
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    const cut = await client().chat.completions.create({ model, messages: [{ role: 'user', content: 'too much' }] });
    expect(cut.choices[0]?.finish_reason).toBe('length');
  });

  it('puts a streamed chat together', async () => {
    const stream = client().chat.completions.stream({
      model,
      messages: [{ role: 'user', content: 'hello' }],
      stream_options: { include_usage: true },
    });
    expect(await stream.finalContent()).toBe(HELLO);
    expect((await stream.totalUsage()).completion_tokens).toBeGreaterThan(0);
  });

  it.each([true, false])('runs a tool loop in a chat (stream: %s)', async (streaming) => {
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'how is the weather?' }];
    const turn = async () => {
      const request = { model, tools, messages };
      return streaming
        ? await client().chat.completions.stream(request).finalChatCompletion()
        : await client().chat.completions.create(request);
    };
    const first = (await turn()).choices[0];
    expect(first).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Let me look.' } });
    const calls = (first?.message.tool_calls ?? []).filter((call) => call.type === 'function');
    expect(calls.map((call) => JSON.parse(call.function.arguments))).toEqual([
      { city: 'Paris' },
      { city: 'Rome', days: 3 },
    ]);
    messages.push(first?.message as OpenAI.ChatCompletionMessageParam);
    for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: 'clear' });
    expect((await turn()).choices[0]?.message.content).toBe('Enjoy the sun.');
  });

  it('responds, whole and as a stream', async () => {
    const response = await client().responses.create({ model, input: 'hello' });
    expect(response).toMatchObject({ status: 'completed', output_text: HELLO });
    expect(response.output[0]).toMatchObject({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'A greeting.' }],
    });
    const stream = client().responses.stream({ model, input: [{ role: 'user', content: 'hello' }] });
    const types = new Set<string>();
    for await (const event of stream) types.add(event.type);
    expect((await stream.finalResponse()).output_text).toBe(HELLO);
    expect(types).toContain('response.output_text.delta');
    const cut = await client().responses.create({ model, input: 'too much' });
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  });

  it.each([true, false])('runs a tool loop of responses (stream: %s)', async (streaming) => {
    const tools = [{ type: 'function' as const, name: 'get_weather', strict: false, parameters }];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'how is the weather?' }];
    const turn = async (): Promise<OpenAI.Responses.Response> => {
      const request = { model, tools, input };
      return streaming
        ? await client().responses.stream(request).finalResponse()
        : await client().responses.create(request);
    };
    const first = await turn();
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([{ city: 'Paris' }, { city: 'Rome', days: 3 }]);
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]));
    for (const call of calls) input.push({ type: 'function_call_output', call_id: call.call_id, output: 'rain' });
    const last = await turn();
    expect(last.output_text).toBe('Take an umbrella.');
    expect(last.usage).toMatchObject({
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 3 },
    });
  });

  it('goes on from a response that it only names', async () => {
    const tools = [{ type: 'function' as const, name: 'get_weather', strict: false, parameters }];
    const first = await client().responses.create({ model, tools, input: 'how is the weather?' });
    const calls = first.output.filter((item) => item.type === 'function_call');
    const output = calls.map((call) => ({
      type: 'function_call_output' as const,
      call_id: call.call_id,
      output: 'clear',
    }));
    const last = await client().responses.create({ model, tools, previous_response_id: first.id, input: output });
    expect(last.output_text).toBe('Enjoy the sun.');
  });

  it('sees typed errors', async () => {
    const nothing = client().chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'nobody wrote this' }],
    });
    await expect(nothing).rejects.toThrow(/418 understudy: no rule of the scenario answers/);
    await expect(client().responses.create({ model, input: 5 as unknown as string })).rejects.toBeInstanceOf(
      OpenAI.BadRequestError,
    );
  });
});

describe("Google's own client", () => {
  const client = () => new GoogleGenAI({ apiKey: server.key, httpOptions: { baseUrl: server.url } });
  const model = 'gemini-2.5-flash';
  const functionDeclarations: FunctionDeclaration[] = [
    {
      name: 'get_weather',
      parameters: {
        type: Type.OBJECT,
        properties: { city: { type: Type.STRING }, days: { type: Type.INTEGER } },
        required: ['city'],
      },
    },
  ];

  it('generates content, whole and as a stream', async () => {
    const whole = await client().models.generateContent({ model, contents: 'hello' });
    expect(whole.text).toBe(HELLO);
    expect(whole.candidates?.[0]).toMatchObject({ finishReason: 'STOP' });
    const pieces: string[] = [];
    for await (const chunk of await client().models.generateContentStream({ model, contents: 'hello' }))
      pieces.push(chunk.text ?? '');
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(HELLO);
  });

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('runs a tool loop (stream: %s, ids sent back: %s)', async (streaming, withIds) => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: `how is the weather? ${streaming} ${withIds}` }] }];
    const turn = async (): Promise<Content> => {
      const request = { model, contents, config: { tools: [{ functionDeclarations }] } };
      if (!streaming) return (await client().models.generateContent(request)).candidates?.[0]?.content ?? {};
      const parts = [];
      for await (const chunk of await client().models.generateContentStream(request))
        parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      return { role: 'model', parts };
    };
    const first = await turn();
    const calls = (first.parts ?? []).flatMap((part) => part.functionCall ?? []);
    expect(calls.map((call) => call.args)).toEqual([{ city: 'Paris' }, { city: 'Rome', days: 3 }]);
    contents.push(first, {
      role: 'user',
      parts: calls.map((call) => ({
        functionResponse: {
          name: call.name ?? '',
          response: { output: 'rain' },
          ...(withIds ? { id: call.id ?? '' } : {}),
        },
      })),
    });
    const last = await turn();
    expect((last.parts ?? []).map((part) => part.text).join('')).toBe('Take an umbrella.');
  });

  it('counts tokens and sees errors', async () => {
    expect((await client().models.countTokens({ model, contents: 'hello' })).totalTokens).toBeGreaterThan(0);
    await expect(client().models.generateContent({ model, contents: 'nobody wrote this' })).rejects.toThrow(
      /no rule of the scenario answers/,
    );
  });
});
