import { defineScenario, type Failure } from '@understudy/script';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startModelServer } from './server.js';

const protocols = {
  'anthropic-messages': {
    path: '/v1/messages',
    streamPath: '/v1/messages',
    body: { messages: [{ role: 'user', content: 'x' }] },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    streamPath: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'x' }] },
  },
  'openai-responses': { path: '/v1/responses', streamPath: '/v1/responses', body: { input: 'x' } },
  gemini: {
    path: '/v1beta/models/g:generateContent',
    streamPath: '/v1beta/models/g:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  },
} as const;

type Name = keyof typeof protocols;
const names = Object.keys(protocols) as Name[];

async function send(name: Name, failure: Failure, stream: boolean) {
  const server = await startModelServer({
    scenario: defineScenario({ responses: [{ pattern: { type: 'any' }, failure }] }),
  });
  onTestFinished(() => server.close());
  const { path, streamPath, body } = protocols[name];
  const response = await fetch(`${server.url}${stream ? streamPath : path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': server.key },
    body: JSON.stringify({ ...body, ...(stream ? { stream } : {}) }),
  });
  return { status: response.status, headers: response.headers, text: () => response.text() };
}

const statuses: [Failure['type'], Record<Name, number>][] = [
  ['auth_error', { 'anthropic-messages': 401, 'openai-chat': 401, 'openai-responses': 401, gemini: 401 }],
  ['forbidden', { 'anthropic-messages': 403, 'openai-chat': 403, 'openai-responses': 403, gemini: 403 }],
  ['model_not_found', { 'anthropic-messages': 404, 'openai-chat': 404, 'openai-responses': 404, gemini: 404 }],
  ['rate_limit', { 'anthropic-messages': 429, 'openai-chat': 429, 'openai-responses': 429, gemini: 429 }],
  ['out_of_credits', { 'anthropic-messages': 400, 'openai-chat': 429, 'openai-responses': 429, gemini: 429 }],
  ['context_length', { 'anthropic-messages': 400, 'openai-chat': 400, 'openai-responses': 400, gemini: 400 }],
  ['server_error', { 'anthropic-messages': 500, 'openai-chat': 500, 'openai-responses': 500, gemini: 500 }],
  ['overloaded', { 'anthropic-messages': 529, 'openai-chat': 503, 'openai-responses': 503, gemini: 503 }],
];

describe.each(names)('%s', (name) => {
  it.each(statuses)('tells of %s in its own words, or in those of the scenario', async (type, wanted) => {
    for (const stream of [true, false]) {
      const { status, text } = await send(name, { type, message: 'as scripted' } as Failure, stream);
      expect(status).toBe(wanted[name]);
      expect(JSON.parse(await text())).toMatchObject({ error: { message: 'as scripted' } });
    }
    const usual = await send(name, { type } as Failure, true);
    expect(JSON.parse(await usual.text()).error.message).toMatch(/\w{3}/);
  });

  it('says when to come again', async () => {
    const { headers } = await send(name, { type: 'rate_limit', retry_after: 7 }, true);
    expect(headers.get('retry-after')).toBe('7');
  });

  it('breaks off in the middle of a stream, with a clean end or without', async () => {
    const truncated = await (
      await send(name, { type: 'partial_response', partial_text: 'Half of a sen' }, true)
    ).text();
    expect(truncated).toContain('Half of a sen');
    expect(truncated).not.toMatch(/message_stop|\[DONE\]|response\.completed|finishReason/);
    // Claude Code drops the text of a block that was not closed.
    if (name === 'anthropic-messages') expect(truncated).toContain('content_block_stop');
    const reset = await send(name, { type: 'connection_reset', partial_text: 'Half of a sen' }, true);
    await expect(reset.text()).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
    });
    const started = performance.now();
    const stalled = await send(name, { type: 'stall', after_ms: 100, partial_text: 'Half' }, true);
    await expect(stalled.text()).rejects.toThrow();
    expect(performance.now() - started).toBeGreaterThan(90);
  });

  it('sends what no client can read', async () => {
    const events = await (await send(name, { type: 'malformed_json', raw: '{"broken": ' }, true)).text();
    expect(events).toMatch(/^data: \{"broken": $/m);
    const whole = await (await send(name, { type: 'malformed_json', raw: '{"broken": ' }, false)).text();
    expect(whole).toBe('{"broken": ');
    const half = await (await send(name, { type: 'partial_response', partial_text: 'x' }, false)).text();
    expect(() => JSON.parse(half)).toThrow();
    const html = await send(name, { type: 'html_response' }, true);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it.each([
    { type: 'network_unreachable' },
    { type: 'connection_reset' },
    { type: 'connection_timeout', after_ms: 50 },
  ] satisfies Failure[])('answers nothing at all: $type', async (failure) => {
    await expect(send(name, failure, true)).rejects.toThrow('fetch failed');
  });
});
