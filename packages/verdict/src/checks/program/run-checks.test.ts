import { expect, it } from 'vitest';
import type { ObservedRun } from '../observed.js';
import { checkArguments, checkCalls, type ObservedCall } from './call-checks.js';
import { checkEnd } from './end.js';
import { readJsonPath } from './json-path.js';
import { checkNoService, checkOutlived, checkTime } from './run-checks.js';
import { checkText } from './text-checks.js';

const run = (more: Partial<ObservedRun> = {}): ObservedRun => ({
  ...{ command: ['x'], code: 0, signal: null, stdout: '', stderr: '', milliseconds: 100, timedOut: false },
  ...more,
});
const call = (number: number, agent: string, more: Partial<ObservedCall> = {}): ObservedCall => ({
  ...{ number, agent, command: [agent, '-p', 'x'], prompt: 'x', startedAt: number * 10, endedAt: number * 10 + 5 },
  ...more,
});
const statuses = (results: { status: string }[]) => results.map(({ status }) => status).join(' ');

it('judges the end', () => {
  expect(checkEnd(run(), {}).status).toBe('passed');
  expect(checkEnd(run({ code: 1 }), {}).status).toBe('failed');
  expect(checkEnd(run({ code: null, signal: 'SIGINT' }), { signal: 'SIGINT' }).status).toBe('passed');
  expect(checkEnd(run({ code: 130 }), { signal: 'SIGINT' }).status).toBe('failed');
  expect(checkEnd(run({ timedOut: true }), { code: 0 })).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('did not end within'),
  });
});

it.each<[string, Parameters<typeof checkText>[1], string]>([
  ['one two', 'two', 'passed'],
  ['one two', { contains: ['one', 'three'] }, 'passed failed'],
  ['one two', { lacks: 'two', regex: '^one' }, 'failed passed'],
  ['one\n', { equals: 'one' }, 'passed'],
  ['', { empty: true }, 'passed'],
  ['x', { empty: true }, 'failed'],
  ['{"a":[{"b":1}]}', { json: { 'a[0].b': 1, 'a[1].b': 1 } }, 'passed failed'],
  ['log\n{"done":true}\n', { json: { done: true } }, 'passed'],
  ['not JSON', { json: { done: true } }, 'failed'],
])('judges the text %j', (text, expected, status) => {
  expect(statuses(checkText(text, expected, { name: 'stdout', number: 1 }))).toBe(status);
});

it('cannot judge a stream that was a terminal', () => {
  expect(checkText(undefined, 'x', { name: 'stdout', number: 1 })[0]?.status).toBe('unjudged');
});

it('judges calls', () => {
  const calls = [call(1, 'opencode'), call(2, 'opencode', { startedAt: 12 }), call(3, 'claude', { prompt: 'sum up' })];
  expect(statuses(checkCalls(calls, { count: 3, min: 1, max: 2 }))).toBe('passed passed failed');
  expect(statuses(checkCalls(calls, { agent: ['claude', 'opencode'] }))).toBe('passed');
  expect(statuses(checkCalls([], { agent: 'claude' }))).toBe('failed');
  expect(statuses(checkCalls(calls, { order: ['opencode', { agent: 'claude', prompt: 'sum' }] }))).toBe('passed');
  expect(statuses(checkCalls(calls, { order: ['claude', 'opencode'] }))).toBe('failed');
  expect(statuses(checkCalls(calls, { overlap: true }))).toBe('passed');
  expect(statuses(checkCalls(calls, { overlap: { max: 1 } }))).toBe('failed');
  expect(statuses(checkCalls(calls, { overlap: false }))).toBe('failed');
});

it('finds flags however they are written', () => {
  const seen = call(1, 'claude', { command: ['claude', '-p', 'x', '--model=opus', '--output-format', 'json'] });
  const has = ['--model=opus', '--model', 'opus', '--output-format=json', '-p'];
  expect(statuses(checkArguments(seen, { has }))).toBe('passed passed passed passed passed');
  expect(statuses(checkArguments(seen, { has: ['--output-format=text', '--verbose'], lacks: ['-p'] }))).toBe(
    'failed failed failed',
  );
});

it('judges time, what is left, and what was reached', () => {
  expect(checkTime(run(), { max_ms: 99 }).status).toBe('failed');
  expect(checkTime(run(), { min_ms: 100, max_ms: 100 }).status).toBe('passed');
  expect(checkOutlived(run({ leftovers: [] }), 'none').status).toBe('passed');
  expect(checkOutlived(run({ leftovers: ['sleep 9 (1)'] }), 'none').status).toBe('failed');
  expect(checkOutlived(run({ leftovers: ['sleep 9 (1)'] }), ['sleep']).status).toBe('passed');
  expect(checkOutlived(run(), 'none').status).toBe('unjudged');
  expect(checkNoService(['api.openai.com']).status).toBe('failed');
});

it('reads paths into JSON', () => {
  expect(readJsonPath('a[0].b-c["d e"]')).toEqual(['a', 0, 'b-c', 'd e']);
  expect([readJsonPath(''), readJsonPath('a..b'), readJsonPath('a b'), readJsonPath('[x]')]).toEqual(
    Array(4).fill(undefined),
  );
});
