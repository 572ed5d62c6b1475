import { expect, it } from 'vitest';
import { compileFilter } from './filter.js';

const entries = [
  { id: 'a.toml claude sim', name: 'explore', file: 'a.toml', tags: ['hooks', 'slow'] },
  { id: 'b.toml claude sim', name: 'plan and code', file: 'b.toml', tags: ['hooks'] },
  { id: 'single@kiro', name: 'single', tags: ['@fast'] },
];

it.each([
  ['explore', ['explore']],
  ['plan and code', ['plan and code']],
  ['@kiro', ['single']],
  ['@hooks', ['explore', 'plan and code']],
  ['@fast', ['single']],
  ['@hooks and not @slow', ['plan and code']],
  ['not @hooks', ['single']],
  ['@slow or @fast', ['explore', 'single']],
  ['(@slow or @fast) and b.toml', []],
  ['not (@slow or @fast)', ['plan and code']],
  ['@hooks AND NOT "plan and"', ['explore']],
  ['@slow or @kiro', ['explore', 'single']],
])('%s', (filter, names) => {
  expect(entries.filter(compileFilter(filter)).map(({ name }) => name)).toEqual(names);
});

it.each([
  ['@a and', 'it ends too early'],
  ['(@a or @b', 'a parenthesis is not closed'],
  ['@a @b', '"@b" is one too many'],
  ['@a and or @b', '"or" stands where'],
])('refuses %s: %s', (filter, why) => {
  expect(() => compileFilter(filter)).toThrow(why);
});
