import { expect, it } from 'vitest';
import { type CliTool, translateForCli } from './translate-call.js';

const TOOLS: readonly CliTool[] = [
  { name: 'bash', generic: 'shell' },
  { name: 'edit', generic: 'edit', words: { path: 'filePath', old: 'oldString', new: 'newString' } },
  { name: 'todowrite' },
];

it('says another agent’s call in the CLI’s own words', () => {
  expect(translateForCli('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, TOOLS)).toEqual({
    name: 'edit',
    input: { filePath: 'a', oldString: 'x', newString: 'y' },
    generic: 'edit',
    words: { path: 'a', old: 'x', new: 'y' },
  });
  expect(translateForCli('shell', { command: 'ls' }, TOOLS)).toMatchObject({
    name: 'bash',
    input: { command: 'ls' },
  });
});

it('leaves calls of its own and of nobody alone', () => {
  expect(translateForCli('todowrite', { todos: [] }, TOOLS)).toMatchObject({
    name: 'todowrite',
    input: { todos: [] },
  });
  expect(translateForCli('mcp__x', { path: 'a' }, TOOLS)).toMatchObject({
    name: 'mcp__x',
    input: { path: 'a' },
    generic: undefined,
  });
});

it('makes the paths of generic calls absolute, where it knows the folder', () => {
  const tools = [{ name: 'read', generic: 'read' as const, words: { path: 'filePath' } }];
  expect(translateForCli('read', { path: 'a' }, tools, '/w').input).toEqual({ filePath: '/w/a' });
  expect(translateForCli('Read', { file_path: 'a' }, tools, '/w').input).toEqual({ filePath: '/w/a' });
  expect(translateForCli('read', { filePath: 'a' }, tools, '/w').input).toEqual({ filePath: 'a' });
  expect(translateForCli('read', { path: 'a' }, tools).input).toEqual({ filePath: 'a' });
});
