import { defineScenario } from '@understudy/script';
import { afterEach, expect, it } from 'vitest';
import { taggedKey } from './client-keys.js';
import { type ModelServer, startModelServer } from './server.js';

let server: ModelServer;
afterEach(() => server.close());

const scenario = defineScenario({
  responses: [
    { when: { call: 3 }, response: 'the third' },
    { pattern: { type: 'contains', text: 'work' }, max_matches: 1, response: 'once' },
    { pattern: { type: 'any' }, response: 'again' },
  ],
});

async function ask(text: string, key: string): Promise<string> {
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] }),
  });
  const { content } = (await answer.json()) as { content?: { text: string }[] };
  return content?.[0]?.text ?? String(answer.status);
}

it('shares the state of all calls of a step, and of no other', async () => {
  server = await startModelServer({ scenario });
  const call = (step: number, number: number) => ask('work', taggedKey(server.key, { step, call: number }));
  expect([await call(1, 1), await call(1, 2), await call(1, 3)]).toEqual(['once', 'again', 'the third']);
  expect(await call(2, 1)).toBe('once');
  expect(server.journal.entries().map(({ step, call: number }) => [step, number])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
  ]);
});

it('keeps the sessions of a step apart on request', async () => {
  server = await startModelServer({ scenario });
  server.conversations.keepApart(1);
  expect([await ask('work', taggedKey(server.key, { step: 1, call: 1 }))]).toEqual(['once']);
  expect([await ask('work', taggedKey(server.key, { step: 1, call: 2 }))]).toEqual(['once']);
});

it('counts the requests of a program that asks the model itself', async () => {
  server = await startModelServer({ scenario });
  const key = taggedKey(server.key, { step: 1 });
  expect([await ask('a', key), await ask('b', key), await ask('c', key)]).toEqual(['again', 'again', 'the third']);
});

it('lets nobody in with a tag alone', async () => {
  server = await startModelServer({ scenario });
  expect(await ask('work', taggedKey('sk-understudy-guessed-key', { step: 1, call: 1 }))).toBe('401');
});

it('says that the call is another one', async () => {
  const only = defineScenario({ responses: [{ when: { call: 2 }, response: 'two' }] });
  server = await startModelServer({ scenario: only });
  await ask('hello', taggedKey(server.key, { step: 1, call: 1 }));
  await ask('hello', server.key);
  expect(server.script.usage.unmatched.map(({ message }) => message)).toEqual([
    expect.stringContaining('only in call 2, and this is call 1 (`when.call`)'),
    expect.stringContaining('only in call 2, and the number of the call is not known here'),
  ]);
});
