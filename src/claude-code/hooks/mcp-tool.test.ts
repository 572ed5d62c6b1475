import { expect, it } from 'vitest';
import type { HookInput } from './hook.js';
import { fillInput } from './mcp-tool.js';

const payload: HookInput = {
  ...{ hook_event_name: 'PreToolUse', session_id: 's', transcript_path: '/t', cwd: '/p' },
  tool_input: { command: 'ls', count: 2, list: ['a'] },
};

it.each([
  [`run \${tool_input.command} in \${cwd}`, 'run ls in /p'],
  [`\${tool_input.count}`, '2'],
  [`\${tool_input}`, '{"command":"ls","count":2,"list":["a"]}'],
  [`[\${tool_input.none.deeper}\${none}\${tool_input.constructor}]`, '[]'],
  [`$cwd \${ cwd } \${}`, `$cwd \${ cwd } \${}`],
])('fills %j with the payload', (text, filled) => {
  expect(fillInput({ text }, payload)).toEqual({ text: filled });
});

it('fills texts wherever they stand, and leaves what is no text', () => {
  expect(fillInput({ a: [{ b: `\${cwd}` }, 1, null], c: true }, payload)).toEqual({
    a: [{ b: '/p' }, 1, null],
    c: true,
  });
});
