import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { expect, it } from 'vitest';
import { Journal, type JournalEntry, redactedHeaders, redactedPath } from './journal.js';

it('shows only headers that are known to be harmless', () => {
  const harmless = {
    'content-type': 'application/json',
    'user-agent': 'claude-cli/2.1.325',
    'anthropic-version': '2023-06-01',
    'x-stainless-retry-count': '0',
  };
  const others = [
    'authorization',
    'cookie',
    'x-api-key',
    'x-goog-api-key',
    'api-key',
    'x-auth-token',
    'x-gateway',
    'a',
  ];
  const hidden = Object.fromEntries(others.map((name) => [name, '[redacted]']));
  const sent = Object.fromEntries(others.map((name) => [name, 'opensesame']));
  expect(redactedHeaders({ ...harmless, ...sent })).toEqual({ ...harmless, ...hidden });
});

it.each([
  ['/v1/messages?beta=true', '/v1/messages?beta=true'],
  ['/v1beta/models/x?alt=sse&key=abc', '/v1beta/models/x?alt=sse&key=[redacted]'],
  [
    '/v1/m?access_token=abc&KEY=d&signature=e=f&x',
    '/v1/m?access_token=[redacted]&KEY=[redacted]&signature=[redacted]&x',
  ],
])('shows of %s only what is known to be harmless', (url, shown) => {
  expect(redactedPath(url)).toBe(shown);
});

it('writes no secret, and leaves what was sent to the checks', async () => {
  const scratch = createScratch('journal');
  const file = join(scratch.path, 'requests.jsonl');
  const journal = new Journal({ file });
  const key = 'sk-understudy-0123456789abcdef';
  const entry: JournalEntry = {
    ...{ number: 1, at: '', milliseconds: 1, kind: 'answer', method: 'POST', path: '/', status: 200, headers: {} },
    body: { messages: [{ role: 'user', content: `ANTHROPIC_API_KEY=${key}` }] },
  };
  journal.add(entry);
  journal.close();
  expect(journal.entries()).toEqual([entry]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    body: { messages: [{ content: 'ANTHROPIC_API_KEY=[secret]' }] },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await scratch.remove();
});

const small: JournalEntry = {
  ...{ number: 1, at: '', milliseconds: 1, kind: 'answer', method: 'POST', path: '/', status: 200, headers: {} },
};

it('keeps so many bytes of bodies in memory, and says from when on it knows all', () => {
  const journal = new Journal({ keepBytes: 1000 });
  for (const number of [1, 2, 3]) journal.add({ ...small, number, at: `t${number}` }, 400);
  expect(journal.entries().map(({ number }) => number)).toEqual([2, 3]);
  expect(journal.forgottenUntil).toBe('t1');
  journal.add({ ...small, number: 4, at: 't4' }, 5000);
  expect(journal.entries()).toEqual([]);
});

it('writes no file without end, and tells once that it is full', async () => {
  const scratch = createScratch('journal');
  const file = join(scratch.path, 'requests.jsonl');
  const cuts: number[] = [];
  const journal = new Journal({ file, fileBytes: 1000, onFileCut: (limit) => cuts.push(limit) });
  for (let number = 1; number <= 50; number++) journal.add({ ...small, number });
  journal.close();
  expect(statSync(file).size).toBeLessThanOrEqual(1000);
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).number)[0],
  ).toBe(1);
  expect(cuts).toEqual([1000]);
  await scratch.remove();
});
