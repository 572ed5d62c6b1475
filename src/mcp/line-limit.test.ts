import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type LeftOutLine, LineLimit } from './line-limit.js';

async function pass(chunks: readonly string[], longest = 100): Promise<{ passed: string; leftOut: LeftOutLine[] }> {
  const leftOut: LeftOutLine[] = [];
  const limit = new LineLimit((line) => leftOut.push(line), longest);
  const passed = await text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(limit));
  return { passed, leftOut };
}

const long = 'x'.repeat(3000);

it('passes lines on, however they are cut', async () => {
  expect(await pass(['one\ntw', 'o', '\n\nthr', 'ee'])).toEqual({ passed: 'one\ntwo\n\nthree', leftOut: [] });
});

it('leaves out a line that is too long, wherever it is cut, and goes on after it', async () => {
  for (const chunks of [
    [`one\n${long}\ntwo\n`],
    ['one\n', ...long, '\n', 'two\n'],
    [`one\n${long}`, `${long}\ntwo\n`],
  ]) {
    expect(await pass(chunks)).toEqual({ passed: 'one\ntwo\n', leftOut: [{ id: null }] });
  }
  expect(await pass([`one\n${long}`])).toEqual({ passed: 'one\n', leftOut: [{ id: null }] });
});

it.each([
  [`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"${long}"}}`, 7],
  [`{"jsonrpc":"2.0", "method":"tools/call", "id":"a-1", "params":{"text":"${long}"}}`, 'a-1'],
  [`{"method":"tools/call","params":{"text":"${long}"},"jsonrpc":"2.0","id":7}`, 7],
  [`{"method":"tools/call","params":{"text":"${long}"},"id":7,"jsonrpc":"2.0"}`, 7],
  [`{"method":"notifications/x","params":{"text":"${long}","id":7}}`, null],
  [`{"method":"notifications/x","params":[{"text":"${long}","id":7}]}`, null],
  [`{"params":{"id":7,"text":"${long}"}}`, null],
])('finds the id of a request and no other one (%#)', async (line, id) => {
  expect((await pass([`${line}\n`])).leftOut).toEqual([{ id }]);
});
