import { expect, it } from 'vitest';
import { NotSupported, readArguments } from './options.js';

it.each([
  [['-s', '-p', 'x'], '--sandbox'],
  [['--worktree', 'w', '-p', 'x'], '--worktree'],
  [['--policy', 'x.toml', '-p', 'x'], '--policy'],
  [['--allowed-tools', '', '-p', 'x'], 'an empty list of folders, tools or servers'],
  [['--list-sessions'], '--list-sessions'],
  [['--acp'], '--acp'],
  [['mcp', 'list'], '`gemini mcp`'],
])('refuses %j by name', (argv, what) => {
  expect(() => readArguments(argv)).toThrow(new NotSupported(what));
});

it('takes the last of two values, and a bare --resume for the latest session', () => {
  expect(readArguments(['-m', 'a', '-m', 'b', '--resume', '-p', 'x'])).toMatchObject({
    ...{ model: 'b', resume: 'latest', prompt: 'x' },
  });
});
