import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventLog } from './event-log.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loop-events-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('names its file in current-events, and never takes an old one', () => {
  const day = new Date('2026-01-02T03:04:05Z');
  const first = EventLog.start(root, day);
  const second = EventLog.start(root, day);
  expect(first.file).toBe(join(root, '.ralph/events-20260102030405.jsonl'));
  expect(second.file).not.toBe(first.file);
  expect(join(root, readFileSync(join(root, '.ralph/current-events'), 'utf8').trim())).toBe(second.file);
});

it('gives what others wrote, once, and not what it wrote itself', () => {
  const log = EventLog.start(root);
  log.record([{ topic: 'mine', payload: '', ts: '' }]);
  EventLog.current(root, undefined).append({ topic: 'theirs', payload: 'x', ts: 't' });
  expect(log.takeNew()).toEqual([{ topic: 'theirs', payload: 'x', ts: 't' }]);
  expect(log.takeNew()).toEqual([]);
  expect(readFileSync(log.file, 'utf8').match(/"topic":"\w+"/g)).toEqual(['"topic":"mine"', '"topic":"theirs"']);
});

it('skips lines that are no events, and takes JSON payloads as text', () => {
  const log = EventLog.start(root);
  appendFileSync(log.file, 'torn {"topic"\n{"payload":"no topic"}\nnull\n{"topic":"a","payload":{"b":1}}\n');
  expect(log.takeNew()).toEqual([{ topic: 'a', payload: '{"b":1}', ts: '' }]);
});

it('goes to the file that the loop has told its agent', () => {
  EventLog.start(root);
  const told = join(root, 'told.jsonl');
  expect(EventLog.current(root, told).file).toBe(told);
});
