import { expect, it } from 'vitest';
import { FLAGS } from './border.js';
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

it('lists each flag once, by what becomes of it', () => {
  expect(FLAGS.played).toContain('-p, --prompt');
  expect(FLAGS.ignored).toContain('-e, --extensions');
  expect(FLAGS.refused).toContain('--acp');
});
