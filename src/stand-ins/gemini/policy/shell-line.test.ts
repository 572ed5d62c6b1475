import { expect, it } from 'vitest';
import { NotSupported } from '../options.js';
import { isDangerous } from './dangerous-command.js';
import { commandsIn, hasRedirection, hasSubstitution } from './shell-line.js';

it('splits a line at the signs of the shell, and not inside of quotes', () => {
  expect(commandsIn("a 'x;y' && b 2>&1 | c \\; d\ne & f")).toEqual(["a 'x;y'", 'b 2>&1', 'c \\; d', 'e', 'f']);
});

it.each(['(a)', 'if a; then b; fi', "sh -c 'a'", 'a # b'])('refuses %j, which is no list of commands', (line) => {
  expect(() => commandsIn(line)).toThrow(NotSupported);
});

it('sees redirections, but for quoted signs', () => {
  expect(hasRedirection('a > b')).toBe(true);
  expect(hasRedirection('a "> b" \\< \'<\'')).toBe(false);
  expect(() => hasRedirection('[[ a < b ]]')).toThrow(NotSupported);
});

it('sees commands within commands', () => {
  expect(hasSubstitution('a "$(b)"')).toBe(true);
  expect(hasSubstitution("a '$(b)' \\`")).toBe(false);
});

it.each([
  ['git status', false],
  ['git commit -m x', false],
  ['git -c a=b status', true],
  ['git branch -a', false],
  ['git branch new', true],
  ['git diff --output=x', true],
  ['sudo rm -rf x', true],
  ['rm x', false],
  ['find . -name x', false],
])('%s: dangerous is %s', (command, dangerous) => {
  expect(isDangerous(command)).toBe(dangerous);
});
