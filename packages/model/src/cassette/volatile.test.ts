import { expect, it } from 'vitest';
import { withoutVolatile } from './volatile.js';

it.each([
  ['session 4f7a2b3c-1d2e-4f5a-8b9c-0d1e2f3a4b5c', 'session <id>'],
  ['toolu_01AbCdEf2345 was called', '<id> was called'],
  ['Today is 2026-11-15, at 22:14:09.', 'Today is <date>, at <time>.'],
  ['-rw-r--r-- 1 u u 12 Nov 15 22:14 app.py', '-rw-r--r-- 1 u u 12 <date> app.py'],
  ['[main 3f2a9c1] fix: login', '[main <hash>] fix: login'],
  ['listening on http://127.0.0.1:43917', 'listening on http://127.0.0.1:<port>'],
  ['in /tmp/understudy-x1/project', 'in <temp>/project'],
])('%s is the same in every run', (text, stable) => {
  expect(withoutVolatile(text, 'prompt')).toBe(stable);
});

it('takes durations and versions out of results, and leaves them in prompts: there they are the wish', () => {
  const text = '3 passed in 1.24s (vitest 4.1.12)';
  expect(withoutVolatile(text, 'result')).toBe('3 passed in <duration> (vitest <version>)');
  expect(withoutVolatile(text, 'prompt')).toBe(text);
});

it('takes the numbers of processes out of results', () => {
  expect(withoutVolatile('Process Group PGID: 23710, pid=42', 'result')).toBe('Process Group PGID: <pid>, pid=<pid>');
});

it('takes out of results what Codex tells of a command', () => {
  const told = '{"chunk_id":"72f963","wall_time_seconds":0.000023667,"exit_code":0,"output":"1\\n"}';
  const stable = '{"chunk_id":"<id>","wall_time_seconds":<duration>,"exit_code":0,"output":"1\\n"}';
  expect(withoutVolatile(told, 'result')).toBe(stable);
  expect(withoutVolatile(told.replace('0.000023667', '8.9e-6').replace('72f963', '5a37a1'), 'result')).toBe(stable);
  expect(withoutVolatile('sometimes: 3, at a time: 4', 'result')).toBe('sometimes: 3, at a time: 4');
});

it('keeps words and numbers', () => {
  const text = 'decade 1234567 added feed 42 bytes of cafe';
  expect(withoutVolatile(text, 'result')).toBe(text);
});
