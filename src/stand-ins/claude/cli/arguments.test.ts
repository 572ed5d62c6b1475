import { expect, it } from 'vitest';
import { parseArguments } from './arguments.js';
import { readOptions, splitTools } from './options.js';

it('takes all words up to the next flag for a list', () => {
  const { flags, positional } = parseArguments(['--allowedTools', 'Bash(git *)', 'Edit', '-p', 'hi']);
  expect(flags.get('--allowedTools')).toEqual(['Bash(git *)', 'Edit']);
  expect(positional).toEqual(['hi']);
});

it('takes a value after an equals sign, and everything after two dashes as a prompt', () => {
  expect(parseArguments(['--model=opus', '--', '--not-a-flag'])).toEqual({
    positional: ['--not-a-flag'],
    flags: new Map([['--model', ['opus']]]),
  });
});

it('lets a value be left out where the real CLI does', () => {
  expect(readOptions(['-r', '-p', 'x']).resume).toBe(true);
  expect(readOptions(['--resume', 'abc', '-p', 'x']).resume).toBe('abc');
});

it.each([
  [['--nonsense'], "error: unknown option '--nonsense'"],
  [['--model'], "error: option '--model <model>' argument missing"],
  [['--tmux'], "error: the stand-in does not support option '--tmux' of the real claude"],
  [['mcp', 'list'], "error: the stand-in has no command 'mcp'; it only runs sessions"],
])('refuses %j in words', (argv, message) => {
  expect(() => parseArguments(argv)).toThrow(message);
});

it('keeps commas and spaces inside of parentheses', () => {
  expect(splitTools('Bash(git log, all) Edit,Read')).toEqual(['Bash(git log, all)', 'Edit', 'Read']);
});

it('takes no more than a positive number for a limit', () => {
  expect(readOptions(['--max-turns', '3']).maxTurns).toBe(3);
  expect(() => readOptions(['--max-turns', 'many'])).toThrow('must be a positive number');
});
