import { expect, it } from 'vitest';
import { border } from './border.js';
import { readArguments } from './options.js';

it.each([
  [['-s', '-p', 'x'], '--sandbox'],
  [['--worktree', 'w', '-p', 'x'], '--worktree'],
  [['--allowed-tools', '', '-p', 'x'], '--allowed-tools'],
  [['--list-sessions'], '--list-sessions'],
  [['mcp', 'list'], 'mcp'],
  [['--approval-mode', 'plan', '-p', 'x'], '"plan"'],
])('refuses %j by name', (argv, what) => {
  expect(readArguments(argv).refused).toContain(what);
});

it('takes the last of two values, and a bare --resume for the latest session', () => {
  const options = readArguments(['-m', 'a', '-m', 'b', '--resume', '-e', 'none', '-p', 'x']);
  expect(options).toMatchObject({ model: 'b', resume: 'latest', prompt: 'x' });
  expect(options.refused).toBeUndefined();
});

it('lists each flag by what becomes of it', () => {
  const { played, ignored, refused } = border.names.flag ?? {};
  expect([played, ignored, refused]).toEqual([
    expect.arrayContaining(['--prompt', '-p']),
    expect.arrayContaining(['--extensions', '-e']),
    expect.arrayContaining(['--acp']),
  ]);
});
