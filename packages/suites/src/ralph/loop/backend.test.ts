import { expect, it } from 'vitest';
import { invocationOf } from './backend.js';

it('gives Claude its prompt on stdin and asks for events', () => {
  const { command, input, output } = invocationOf({ name: 'claude', args: ['--model', 'opus'] }, 'do it', ['--extra']);
  expect(command.slice(0, 8)).toEqual([
    'claude',
    '--dangerously-skip-permissions',
    '--verbose',
    '--output-format',
    'stream-json',
    '--setting-sources',
    'project,local',
    '--print',
  ]);
  expect(command[8]).toMatch(/^--disallowedTools=TodoWrite,/);
  expect(command.slice(9)).toEqual(['--model', 'opus', '--extra']);
  expect({ input, output }).toEqual({ input: 'do it', output: 'stream-json' });
});

it.each([
  [{ name: 'kiro', args: [] }, ['kiro-cli', 'chat', '--no-interactive', '--trust-all-tools', 'do it']],
  [
    { name: 'kiro', args: [], agent: 'rev' },
    ['kiro-cli', 'chat', '--no-interactive', '--trust-all-tools', '--agent', 'rev', 'do it'],
  ],
  [{ name: 'opencode', args: [] }, ['opencode', 'run', 'do it']],
  [{ name: 'gemini', args: [] }, ['gemini', '--yolo', '-p', 'do it']],
  [{ name: 'codex', args: [] }, ['codex', 'exec', '--yolo', 'do it']],
  [{ name: 'custom', command: './a', args: ['-x'] }, ['./a', '-x', 'do it']],
  [{ name: 'custom', command: './a', args: [], promptFlag: '-m' }, ['./a', '-m', 'do it']],
] as const)('gives %o its prompt as an argument', (backend, command) => {
  expect(invocationOf(backend, 'do it')).toMatchObject({ command });
  expect(invocationOf(backend, 'do it').input).toBeUndefined();
});

it('gives a custom backend its prompt on stdin when told so', () => {
  const backend = { name: 'custom', command: './a', args: [], promptMode: 'stdin' } as const;
  expect(invocationOf(backend, 'do it')).toMatchObject({ command: ['./a'], input: 'do it' });
});
