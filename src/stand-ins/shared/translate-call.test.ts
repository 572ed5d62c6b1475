import { expect, it } from 'vitest';
import { opencodeTools } from '../opencode/tools.js';
import { translateCall } from './translate-call.js';

it('says another agent’s call in the CLI’s own words', () => {
  expect(translateCall('Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, opencodeTools)).toEqual({
    name: 'edit',
    input: { filePath: 'a', oldString: 'x', newString: 'y' },
    generic: 'edit',
    words: { path: 'a', old: 'x', new: 'y' },
  });
  expect(translateCall('shell', { command: 'ls' }, opencodeTools)).toMatchObject({
    name: 'bash',
    input: { command: 'ls' },
  });
});

it('leaves calls of its own and of nobody alone', () => {
  expect(translateCall('todowrite', { todos: [] }, opencodeTools)).toMatchObject({
    name: 'todowrite',
    input: { todos: [] },
  });
  expect(translateCall('mcp__x', { path: 'a' }, opencodeTools)).toMatchObject({
    name: 'mcp__x',
    input: { path: 'a' },
    generic: undefined,
  });
});

it('makes the paths of generic calls absolute, where it knows the folder', () => {
  const tools = [{ name: 'read', generic: 'read' as const, words: { path: 'filePath' } }];
  expect(translateCall('read', { path: 'a' }, tools, '/w').input).toEqual({ filePath: '/w/a' });
  expect(translateCall('Read', { file_path: 'a' }, tools, '/w').input).toEqual({ filePath: '/w/a' });
  expect(translateCall('read', { filePath: 'a' }, tools, '/w').input).toEqual({ filePath: 'a' });
  expect(translateCall('read', { path: 'a' }, tools).input).toEqual({ filePath: 'a' });
});
