import { expect, it } from 'vitest';
import { answerOf } from './exit-codes.js';

it.each([
  ['grep zzz a.txt', 'No matches found'],
  ['cat a.txt | grep zzz', 'No matches found'],
  ['git grep zzz', 'No matches found'],
  ['git -C . --no-pager grep zzz', 'No matches found'],
  ['git diff --quiet', 'Files differ'],
  ['[ -f none ]', 'Condition is false'],
  ['git status', undefined],
  ['! grep one a.txt', undefined],
  ['grep zzz a.txt && echo yes', undefined],
  ['constructor', undefined],
])('knows what an exit code of 1 says of %s', (command, answer) => {
  expect(answerOf(command, 1)).toBe(answer);
  expect(answerOf(command, 2)).toBeUndefined();
});
