import { expect, it } from 'vitest';
import { parseArguments } from './arguments.js';
import { checkFormats, checkSources } from './check-options.js';
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
  [['--nonsense', '--model'], "error: option '--model <model>' argument missing"],
  [['--nonsense', '--other'], "error: unknown option '--nonsense'"],
  [['--model'], "error: option '--model <model>' argument missing"],
  [['--tmux'], "error: the stand-in does not support option '--tmux' of the real claude"],
  [['--mode'], "error: unknown option '--mode'"],
  [['--session'], "error: unknown option '--session'"],
  [['--verbose=1'], "error: unknown option '--verbose=1'"],
  [['--cwd', '/tmp'], "error: unknown option '--cwd'"],
  [['--mcp-debug'], "error: unknown option '--mcp-debug'"],
  [['-cx'], "error: unknown option '-x'"],
  [['-phi'], "error: unknown option '-hi'"],
  [['--permission-mode', 'nope'], 'Allowed choices are acceptEdits, auto, bypassPermissions, manual, dontAsk, plan.'],
  [['--max-turns', 'many'], "argument 'many' is invalid. must be a number"],
  [['--autocompact', '50'], "It must be 'auto', or between 100k and 1M"],
  [['doctor'], "error: the stand-in has no command 'doctor'; it only runs sessions"],
])('refuses %j in words', (argv, message) => {
  expect(() => parseArguments(argv)).toThrow(message);
});

it('keeps commas and spaces inside of parentheses', () => {
  expect(splitTools('Bash(git log, all) Edit,Read')).toEqual(['Bash(git log, all)', 'Edit', 'Read']);
});

it('takes what the real CLI takes without listing it', () => {
  expect(readOptions(['--permission-mode', 'default']).permissionMode).toBe('default');
  expect(readOptions(['-p', 'auth']).prompt).toBe('auth');
  expect(readOptions(['update', '-p']).prompt).toBe('update');
  expect(readOptions(['--autocompact', '200', '--thinking', 'adaptive', '-pc']).continue).toBe(true);
  expect(readOptions(['-rabc']).resume).toBe('abc');
});

it('takes no turns for no limit', () => {
  expect(readOptions(['--max-turns', '3']).maxTurns).toBe(3);
  expect(readOptions(['--max-turns', '0']).maxTurns).toBeUndefined();
});

it.each([
  [['--await-initialize'], 'Error: --await-initialize requires --input-format=stream-json.'],
  [['--forward-subagent-text'], 'Error: --forward-subagent-text requires --print and --output-format=stream-json.'],
  [['--include-partial-messages'], 'Error: --include-partial-messages requires --print and'],
  [['--setting-sources', 'user,nope'], 'Invalid setting source: nope. Valid options are: user, project, local'],
  [['--json-schema', '{'], "Error: --json-schema is not valid JSON: JSON Parse error: Expected '}'"],
  [['--json-schema', '[]'], 'Error: --json-schema must be a JSON object'],
  [['--json-schema', '{"properties":{"a":{"type":"x"}}}'], 'data/properties/a/type must be equal to one of'],
])('refuses %j', (argv, message) => {
  const options = readOptions(['-p', 'x', ...argv]);
  expect(() => {
    checkSources(options);
    checkFormats(options);
  }).toThrow(message);
});
