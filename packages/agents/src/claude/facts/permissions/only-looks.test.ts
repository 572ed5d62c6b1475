import { expect, it } from 'vitest';
import { lineOnlyLooks } from './only-looks.js';

// Each was seen to run beside another call in the pinned Claude Code, or not to.
const OTHER_COMMANDS = [
  ...[
    'cat a.txt',
    'cat a.txt | wc -l',
    'cat none.txt',
    'cd sub',
    'cd sub && ls',
    'git status',
    'cat a.txt 2> /dev/null',
  ],
  ...['sort a.txt', 'sleep 0.1', 'node --version', 'find . -name a.txt', 'sed -n 1p a.txt', 'grep one a.txt', 'pwd'],
  ...['test -f a.txt', '[ -f a.txt ]', 'ls | xargs echo', 'cd .. && ls a.txt', 'git log --oneline'],
];
const ALONE = [
  ...['echo $(cat a.txt)', 'touch c.txt', 'cat a.txt > c.txt', 'FOO=1 ls', 'for f in a b; do echo $f; done'],
  ...['awk 1 a.txt', '( ls )', 'echo "$HOME" | wc -l', 'python3 -c 1', 'ls &&', 'cd sub && git status', 'export A=1'],
];

it.each(OTHER_COMMANDS)('lets %s run beside others', (line) => {
  expect(lineOnlyLooks(line)).toBe(true);
});

it.each(ALONE)('lets %s run alone', (line) => {
  expect(lineOnlyLooks(line)).toBe(false);
});
