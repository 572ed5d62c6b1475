import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { quoteWord } from './quote.js';

it.each([
  ['ls', 'ls'],
  ['echo hi; exit 3', "'echo hi; exit 3'"],
  ["printf 'a' > b", `"printf 'a' > b"`],
  ["grep -E '(^|/)[^/]*\\.txt$'", `"grep -E '("'^|/)[''^/]*'"\\\\.txt"'$'"'"`],
  ['', "''"],
])('writes %s as Codex does', (word, quoted) => {
  expect(quoteWord(word)).toBe(quoted);
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' })).toBe(word);
});
