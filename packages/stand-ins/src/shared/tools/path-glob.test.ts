import { expect, it } from 'vitest';
import { compileGlob } from './path-glob.js';

it.each([
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['*.{js,ts}', 'a.ts', true],
  ['a?c', 'abc', true],
  ['[!a]b', 'cb', true],
  ['x.ts', 'xats', false],
])('the glob %s on %s is %s', (glob, path, fits) => {
  expect(compileGlob(glob).test(path)).toBe(fits);
});

it.each([
  ['{a,b}', '{a,b}', true],
  ['{a,b}', 'a', false],
  ['\\*', '*', true],
  ['\\*', 'x', false],
  ['A/*.LOG', 'a/x.log', true],
])('the line %s of an ignore file on %s is %s', (line, path, fits) => {
  expect(compileGlob(line, { ignoreCase: true, ignoreLine: true }).test(path)).toBe(fits);
});

it('takes no longer with many stars, and matches nothing when it is broken', () => {
  expect(compileGlob(`${'*a'.repeat(30)}b`).test('a'.repeat(4000))).toBe(false);
  expect(compileGlob('[z-a]').test('z')).toBe(false);
});
