import { describe, expect, it } from 'vitest';
import { isForFile, readRulePaths } from './rule-paths.js';

describe('the paths of a rule', () => {
  it.each<[unknown, string[]]>([
    ['src/*.ts', ['src/*.ts']],
    ['src/*.{ts,tsx}, test/**', ['src/*.ts', 'src/*.tsx', 'test']],
    [
      ['a', 'b/**'],
      ['a', 'b'],
    ],
    ['**', []],
    [[], []],
    [undefined, []],
    [7, []],
    ['{a,b}/{c,d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['open{a', ['open{a']],
  ])('%j are %j', (written, paths) => {
    expect(readRulePaths(written)).toEqual(paths);
  });

  it.each<[string, string, boolean]>([
    ['*.ts', 'deep/in/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/in/a.ts', false],
    ['/src', 'src/in/a.ts', true],
    ['src/', 'lib/src/a.ts', true],
    ['src/', 'src', false],
    ['**/*.ts', 'a.ts', true],
    ['*.ts', '../a.js', false],
  ])('%s is for %s: %s', (path, file, expected) => {
    expect(isForFile([path], file)).toBe(expected);
  });

  it('are for no file where there are none', () => {
    expect(isForFile([], 'a.ts')).toBe(false);
  });
});
