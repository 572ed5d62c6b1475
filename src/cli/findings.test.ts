import { expect, it } from 'vitest';
import { findingsReporters } from './findings.js';

it('is a list, unless something else is asked for', () => {
  expect(findingsReporters(undefined, undefined)).toEqual([{ name: 'list' }]);
  expect(findingsReporters(undefined, true)).toEqual([{ name: 'json' }]);
  expect(findingsReporters('list, sarif=a=b.sarif', undefined)).toEqual([
    { name: 'list' },
    { name: 'sarif', file: 'a=b.sarif' },
  ]);
  expect(findingsReporters('sarif=x', true)).toEqual([{ name: 'sarif', file: 'x' }, { name: 'json' }]);
});

it.each([
  ['junit', undefined, 'cannot be written here'],
  ['list=x', undefined, 'cannot be written here'],
  ['sarif=', undefined, 'cannot be written here'],
  ['list,sarif', undefined, 'two reports cannot both'],
  ['list', true, 'two reports cannot both'],
])('refuses %s', (text, json, message) => {
  expect(() => findingsReporters(text, json)).toThrow(message);
});
