import { expect, it } from 'vitest';
import { geminiCli } from './client.js';

it('does not take for a prompt what hooks and the CLI itself say', () => {
  const context = '<hook_context>more &lt;b&gt;</hook_context>';
  expect(geminiCli.authored(['<session_context>x</session_context>', 'go', context])).toEqual([{ text: 'go' }]);
  expect(geminiCli.authored([`${context}\n\ngo on`])).toEqual([{ text: 'go on' }]);
  expect(geminiCli.authored([context])).toEqual([]);
});
