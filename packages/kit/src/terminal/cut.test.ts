import { expect, it } from 'vitest';
import { cut, cutLines } from './cut.js';

it('leaves a short text, and counts what it takes off a long one', () => {
  expect(cut('short', 10)).toBe('short');
  expect(cut('0123456789', 4)).toBe('0123… [6 more characters]');
  expect(cut('ab😀cd', 3)).toBe('ab… [4 more characters]');
});

it('cuts lines and their number', () => {
  expect(cutLines('a\nb', 2, 10)).toEqual(['a', 'b']);
  expect(cutLines('a\nb\nccc', 2, 10)).toEqual(['a', 'b', '… [4 more characters]']);
  expect(cutLines('x'.repeat(50), 2, 10)).toEqual([`${'x'.repeat(10)}… [40 more characters]`]);
});

it('cuts fifty million characters at once', () => {
  const huge = 'y\n'.repeat(25_000_000);
  const started = process.cpuUsage();
  expect(cutLines(huge, 3, 10)).toHaveLength(4);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(1);
});
