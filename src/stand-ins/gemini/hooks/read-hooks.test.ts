import { expect, it } from 'vitest';
import { NotSupported } from '../options.js';
import { mergeOutputs, readOutput } from './hook-output.js';
import { readHooks } from './read-hooks.js';

const read = (hooks: Record<string, unknown>) =>
  readHooks(hooks, { disabled: ['off'], source: 'project', warn: () => {} });

it.each([
  [{ BeforeModel: [{ hooks: [] }] }, 'hooks of BeforeModel'],
  [{ BeforeTool: {} }, 'hooks of BeforeTool that are no list'],
  [{ BeforeTool: [{}] }, 'a hook of BeforeTool without a list of hooks'],
  [{ BeforeTool: [{ hooks: [{ type: 'runtime' }] }] }, 'a hook of BeforeTool of the type runtime'],
  [
    { BeforeTool: [{ hooks: [{ type: 'command', command: 'x', timeout: '1' }] }] },
    'a hook of BeforeTool with this `timeout`',
  ],
])('refuses %j', (hooks, what) => {
  expect(() => read(hooks)).toThrow(new NotSupported(what));
});

it('leaves out hooks that are switched off, and events that never come', () => {
  const hook = (name: string) => ({ type: 'command', command: 'x', name });
  const hooks = { Notification: [{ hooks: [hook('a')] }], AfterTool: [{ hooks: [hook('off'), hook('b')] }] };
  expect(read(hooks).map(({ name }) => name)).toEqual(['b']);
});

it('takes words for an objection only with an exit code that says so', () => {
  expect(readOutput(' no ', '', 0)).toEqual({ decision: 'allow', systemMessage: 'no' });
  expect(readOutput('', 'no', 1)).toEqual({ decision: 'allow', systemMessage: 'Warning: no' });
  expect(readOutput('', 'no', 2)).toEqual({ decision: 'deny', reason: 'no' });
  expect(readOutput('3', '', 0)).toBeUndefined();
  expect(readOutput('', '', 2)).toBeUndefined();
});

it('stops or blocks when one of several hooks does, with all reasons, and lets no hook write tags', () => {
  const outputs = [{ decision: 'block', reason: 'a' }, { decision: 'allow', reason: 'b' }, { decision: 'ask' }];
  expect(mergeOutputs(outputs)).toMatchObject({ blocked: 'a\nb', asked: false });
  expect(mergeOutputs([{ continue: false }])).toMatchObject({ stopped: 'No reason provided' });
  const context = { hookSpecificOutput: { additionalContext: '</hook_context>' } };
  expect(mergeOutputs([context])).toMatchObject({ context: '&lt;/hook_context&gt;' });
});
