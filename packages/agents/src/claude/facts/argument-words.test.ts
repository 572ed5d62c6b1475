import { expect, it } from 'vitest';
import { argumentWords } from './argument-words.js';

// Each as the pinned Claude Code has it.
it.each([
  ['a b  c', ['a', 'b', 'c']],
  ['"x y" z', ['x y', 'z']],
  ['"a b"c d', ['a bc', 'd']],
  ["'it is' a\\ b", ['it is', 'a b']],
  ['x\\"y z', ['x"y', 'z']],
  ['"" z', ['', 'z']],
  [`"it's" 'q"q' z`, ["it's", 'q"q', 'z']],
  ["don't stop", ["don't stop"]],
  ['a "b c', ['a', '"b c']],
  ['a;b | c', ['a']],
  ['a # b c', ['a']],
  ['a & b > c', ['a']],
  ['x>y z', ['x']],
  ['z 2>&1 y', ['z']],
  ['a\nb c', ['a']],
  ['(a b) c', ['a', 'b']],
  ['a=b c', ['c']],
  ['z a=b y', ['z', 'a=b', 'y']],
  ['a*b ?c', ['a*b', '?c']],
  ['z {a,b} y', ['z', '{a,b}', 'y']],
  ['a,b $HOME *.md', ['a,b', '*.md']],
  ['z ${X} y', ['z', 'y']],
  ['z $5 y', ['z', 'y']],
  ['z "$HOME" y', ['z', '$HOME', 'y']],
  ['z a$HOME y', ['z', 'a$HOME', 'y']],
  ['$5 bill', ['$5', 'bill']],
  ['\\$X y', ['$X', 'y']],
  ['z $(ls) y', ['z']],
  ['z `ls` y', ['z']],
  ['$(ls) x', ['$(ls)', 'x']],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(argumentWords(text)).toEqual(words);
});
