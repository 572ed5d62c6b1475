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

it('keeps words and numbers', () => {
  const text = 'decade 1234567 added feed 42 bytes of cafe';
  expect(withoutVolatile(text, 'result')).toBe(text);
});
