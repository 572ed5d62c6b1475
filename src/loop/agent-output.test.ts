import { expect, it } from 'vitest';
import { readOutput } from './agent-output.js';

const assistant = (content: unknown[], more: object = {}) =>
  JSON.stringify({ type: 'assistant', message: { content }, ...more });
const text = (said: string) => ({ type: 'text', text: said });

it('takes Claude’s text from its events, never from raw lines', () => {
  const output = readOutput('stream-json');
  output.take('LOOP_COMPLETE');
  output.take(JSON.stringify({ type: 'user', message: { content: [text('LOOP_COMPLETE')] } }));
  output.take(assistant([text('one'), { type: 'tool_use', name: 'Bash', input: { command: 'echo LOOP_COMPLETE' } }]));
  output.take(assistant([text('from a helper')], { parent_tool_use_id: 'toolu_1' }));
  output.take(assistant([text('two')]));
  output.take(JSON.stringify({ type: 'result', is_error: false, result: 'two' }));
  expect({ text: output.text, failed: output.failed }).toEqual({ text: 'one\ntwo', failed: false });
});

it('sees a failure in Claude’s result, and in its absence', () => {
  const failing = readOutput('stream-json');
  failing.take(JSON.stringify({ type: 'result', is_error: true }));
  expect(failing.failed).toBe(true);
  expect(readOutput('stream-json').failed).toBe(true);
});

it('takes colours and the answer marker off a Kiro transcript, and leaves quotes alone', () => {
  const output = readOutput('transcript');
  output.take('\u001b[38;5;141m> \u001b[0mLOOP_COMPLETE');
  output.take('> a quote');
  expect(output.text).toBe('LOOP_COMPLETE\n> a quote');
});

it('takes plain text as it is, without colours', () => {
  const output = readOutput('text');
  output.take('\u001b[1mbold\u001b[0m');
  expect(output.text).toBe('bold');
});
