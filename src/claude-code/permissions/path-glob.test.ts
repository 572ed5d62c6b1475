import { expect, it } from 'vitest';
import { globToRegExp } from './path-glob.js';

it.each([
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'x/y/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['*.{js,ts}', 'a.ts', true],
  ['a?c', 'abc', true],
  ['[!a]b', 'cb', true],
  ['x.ts', 'xats', false],
])('the glob %s on %s is %s', (glob, path, fits) => {
  expect(globToRegExp(glob).test(path)).toBe(fits);
});
