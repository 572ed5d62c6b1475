import { defineScenario } from '@understudy/script';
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from './server.js';

const CHUNKS = ['A very long first piece that no model would send in one event, ', 'b', 'c'];
const user = (content: string) => [{ role: 'user', content }];

it.each([
  ['/v1/messages', { messages: user('x'), stream: true }, /"text_delta","text":"([^"]*)"/g],
  ['/v1/chat/completions', { messages: user('x'), stream: true }, /"delta":\{"content":"([^"]+)"/g],
  ['/v1/responses', { input: 'x', stream: true }, /"response.output_text.delta".*?"delta":"([^"]*)"/g],
  [
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
    /"text":"([^"]+)"/g,
  ],
])('streams the chunks of the script on %s', async (path, body, delta) => {
  const server = await startModelServer({ scenario: defineScenario({ default_response: { chunks: CHUNKS } }) });
  onTestFinished(() => server.close());
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${server.key}`,
      'x-goog-api-key': server.key,
    },
    body: JSON.stringify({ model: 'm', ...body }),
  });
  const text = await response.text();
  expect([...text.matchAll(delta)].map(([, piece]) => piece)).toEqual(CHUNKS);
});
