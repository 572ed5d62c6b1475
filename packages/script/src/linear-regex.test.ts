import { expect, it } from 'vitest';
import { compileRegex, compileRegexSet } from './linear-regex.js';

function refusal(pattern: string): string {
  const compiled = compileRegex(pattern);
  return 'refused' in compiled ? compiled.refused : 'accepted';
}

it('gives numbered and named groups', () => {
  const regex = compileRegex('(\\w+) at (?P<hour>\\d+)');
  if ('refused' in regex) throw new Error(regex.refused);
  expect(regex.exec('lunch at 12, tea at 5')).toEqual({
    groups: ['lunch at 12', 'lunch', '12'],
    named: { hour: '12' },
  });
  expect(regex.exec('lunch')).toBeUndefined();
});

it('says why it refuses what cannot run in linear time', () => {
  expect(refusal('a(?=b)')).toContain('look-ahead');
  expect(refusal('(?<!a)b')).toContain('look-behind');
  expect(refusal('(a)\\1')).toContain('back-references');
  expect(refusal('(a')).toMatch(/missing/i);
});

it('does not take exponential time where a backtracking engine would', () => {
  const regex = compileRegex('^(a+)+$');
  if ('refused' in regex) throw new Error(regex.refused);
  expect(regex.test(`${'a'.repeat(5000)}b`)).toBe(false);
});

it('tests more patterns than one set can hold', () => {
  const patterns = Array.from({ length: 2_500 }, (_, index) => ({ pattern: `^rule ${index}$|^all$`, options: {} }));
  const set = compileRegexSet(patterns);
  expect(set.match('rule 2499')).toEqual([2_499]);
  expect(set.match('all')).toHaveLength(2_500);
});
