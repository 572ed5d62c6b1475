import type { Block, Message } from '@understudy/script';
import { expect, it } from 'vitest';
import { mockRun, toolSettings } from './mock.js';
import { translateCalls } from './translate-calls.js';

async function translated(tool: string, input: Record<string, unknown>): Promise<unknown> {
  const block: Block = { type: 'tool_use', tool, input };
  const message: Message = { blocks: [block], stopReason: 'tool_use', rulePath: 'responses[0]' };
  return (await translateCalls(message, '/project')).blocks[0];
}

it.each([
  ['shell', { command: 'ls' }, 'Bash', { command: 'ls' }],
  ['read', { path: 'a.txt' }, 'Read', { file_path: '/project/a.txt' }],
  ['write', { path: 'a.txt', content: 'x' }, 'Write', { file_path: '/project/a.txt', content: 'x' }],
  [
    'edit',
    { path: '/a', old: 'x', new: 'y', all: true },
    'Edit',
    { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  ['glob', { pattern: '*.ts' }, 'Glob', { pattern: '*.ts' }],
  ['grep', { pattern: 'x', include: '*.ts' }, 'Grep', { pattern: 'x', glob: '*.ts' }],
  ['run_shell_command', { command: 'ls' }, 'Bash', { command: 'ls' }],
])('says %s in the words of Claude Code', async (tool, input, own, words) => {
  expect(await translated(tool, input)).toMatchObject({ tool: own, input: words });
});

it('leaves its own tools and unknown ones as they are', async () => {
  expect(await translated('Read', { path: 'a' })).toMatchObject({ tool: 'Read', input: { path: 'a' } });
  expect(await translated('mcp__x__read', { path: 'a' })).toMatchObject({ tool: 'mcp__x__read', input: { path: 'a' } });
});

it('takes what a scenario says about a tool under either name', () => {
  const execution = { tools: { shell: { result: 'generic' }, Read: { result: 'own' } } };
  expect(toolSettings(execution, 'Bash')).toEqual({ result: 'generic' });
  expect(toolSettings(execution, 'Read')).toEqual({ result: 'own' });
  expect(toolSettings(execution, 'Write')).toBeUndefined();
  expect(mockRun({ name: 'Bash', input: {}, settings: toolSettings(execution, 'Bash') }).content).toBe('generic');
});
