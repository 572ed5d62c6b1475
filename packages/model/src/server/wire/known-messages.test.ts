import type { JsonObject } from '@understudy/kit';
import { expect, it, vi } from 'vitest';
import { seeded } from '../../../../../test/helpers/seeded.js';
import { messageReader } from './known-messages.js';
import { parseLazily } from './lazy-object.js';

const LONG = 'It says — more than a small request has. '.repeat(20);
const said = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ at, text: `${at} ${LONG}` }));
const request = (messages: unknown, space?: number): JsonObject =>
  parseLazily(Buffer.from(JSON.stringify({ messages, padding: 'x'.repeat(9000) }, undefined, space))) as JsonObject;
const numberOf = (message: unknown): number[] => [(message as { at: number }).at];

it('reads only what is new in a conversation', () => {
  const read = vi.fn(numberOf);
  const numbersIn = messageReader('messages', read);
  expect(numbersIn(request(said(10)))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(numbersIn(request(said(12)))?.slice(-3)).toEqual([9, 10, 11]);
  expect(read).toHaveBeenCalledTimes(12);
  expect(numbersIn(request(said(12)))).toHaveLength(12);
  expect(read).toHaveBeenCalledTimes(12);
});

it('reads again from the message that has changed', () => {
  const read = vi.fn(numberOf);
  const numbersIn = messageReader('messages', read);
  const before = said(20);
  numbersIn(request(before));
  expect(numbersIn(request([...before.slice(0, 18), { at: 70 }, { at: 71 }]))?.slice(-3)).toEqual([17, 70, 71]);
  expect(read.mock.calls.length).toBeLessThan(20 + 8);
});

it.each([
  ['no list', { text: LONG.repeat(3) }, undefined],
  ['an empty list', [], []],
  ['numbers', Array.from({ length: 400 }, (_, at) => ({ at })), Array.from({ length: 400 }, (_, at) => at)],
])('reads %s', (_, messages, expected) => {
  const numbersIn = messageReader('messages', numberOf);
  for (let times = 0; times < 2; times++) expect(numbersIn(request(messages))).toEqual(expected);
});

it('reads what a parser would read, whatever came before', () => {
  const random = seeded(8);
  const pick = (most: number): number => Math.floor(random() * most);
  const numbersIn = messageReader('messages', numberOf);
  let messages = said(6);
  for (let times = 0; times < 300; times++) {
    const kept = messages.slice(0, pick(messages.length + 1));
    messages = [...kept, ...said(pick(4)).map((one) => ({ ...one, at: pick(100) }))];
    expect(numbersIn(request(messages, pick(3)))).toEqual(messages.flatMap(numberOf));
  }
});

it('keeps few conversations', () => {
  const read = vi.fn(numberOf);
  const numbersIn = messageReader('messages', read);
  const of = (number: number): object[] => [{ at: number, text: LONG }, ...said(1)];
  for (let number = 0; number < 20; number++) numbersIn(request(of(number)));
  expect(read).toHaveBeenCalledTimes(40);
  numbersIn(request(of(19)));
  expect(read).toHaveBeenCalledTimes(40);
  numbersIn(request(of(0)));
  expect(read).toHaveBeenCalledTimes(42);
});
