import { expect, it } from 'vitest';
import { compileGlob, globToRegex, longestLiteral } from './glob.js';

const matches = (glob: string, text: string) => new RegExp(globToRegex(glob), 's').test(text);

it('lets a star stand for anything, slashes and line ends included', () => {
  expect(matches('fix * now', 'fix src/a.ts\nand b now')).toBe(true);
  expect(matches('fix * now', 'please fix it now')).toBe(false);
});

it('lets a question mark stand for one character', () => {
  expect(matches('v?', 'v1')).toBe(true);
  expect(matches('v?', 'v')).toBe(false);
  expect(matches('v?', 'v12')).toBe(false);
});

it('knows classes, negated ones, and a bracket inside one', () => {
  expect(matches('[ab]x', 'ax')).toBe(true);
  expect(matches('[!ab]x', 'ax')).toBe(false);
  expect(matches('[!ab]x', 'cx')).toBe(true);
  expect(matches('[]]x', ']x')).toBe(true);
  expect(matches('[a-c]', 'b')).toBe(true);
});

it('takes an unclosed bracket and all that is special in a regex literally', () => {
  expect(matches('a[b', 'a[b')).toBe(true);
  expect(matches('1+1=2 (really).', '1+1=2 (really).')).toBe(true);
  expect(matches('a.c', 'abc')).toBe(false);
});

it('knows a run of characters that must be there', () => {
  expect(longestLiteral('fix * right now')).toBe(' right now');
  expect(longestLiteral('[]abcdef]x')).toBe('x');
  expect(longestLiteral('***')).toBe('');
});

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
