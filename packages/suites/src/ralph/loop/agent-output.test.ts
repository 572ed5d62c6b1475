import { expect, it } from 'vitest';
import { readOutput } from './agent-output.js';

const assistant = (content: unknown[], more: object = {}) =>
  JSON.stringify({ type: 'assistant', message: { content }, ...more });
const text = (said: string) => ({ type: 'text', text: said });

it('takes Claude’s text from its events, never from raw lines', () => {
  const output = readOutput('stream-json');
  output.readLine('LOOP_COMPLETE');
  output.readLine(JSON.stringify({ type: 'user', message: { content: [text('LOOP_COMPLETE')] } }));
  output.readLine(
    assistant([text('one'), { type: 'tool_use', name: 'Bash', input: { command: 'echo LOOP_COMPLETE' } }]),
  );
  output.readLine(
    assistant([text('from a helper'), { type: 'tool_use', name: 'Read' }], { parent_tool_use_id: 'toolu_1' }),
  );
  output.readLine(assistant([text('two')]));
  expect(output.failed).toBe(true);
  output.readLine(JSON.stringify({ type: 'result', is_error: false, result: 'two', usage: { output_tokens: 42 } }));
  expect(output).toMatchObject({ text: 'one\ntwo', failed: false, toolCalls: 1, outputTokens: 42 });
});

it('sees a failure in Claude’s result, and in its absence', () => {
  const failing = readOutput('stream-json');
  failing.readLine(JSON.stringify({ type: 'result', is_error: true }));
  expect(failing.failed).toBe(true);
  expect(readOutput('stream-json').failed).toBe(true);
});

it('takes colours and the answer marker off a Kiro transcript, and leaves quotes alone', () => {
  const output = readOutput('kiro');
  output.readLine('\u001b[38;5;141m> \u001b[0mLOOP_COMPLETE');
  output.readLine('> a quote');
  expect(output.text).toBe('LOOP_COMPLETE\n> a quote');
});

it('takes plain text as it is, without colours', () => {
  const output = readOutput('text');
  output.readLine('\u001b[1mbold\u001b[0m');
  expect(output.text).toBe('bold');
});

it('counts the tools that Kiro and OpenCode announce, and knows of no others', () => {
  const kiro = readOutput('kiro');
  kiro.readLine('I will run the following command: ls (using tool: shell)');
  kiro.readLine(' - Completed in 0.01s');
  const opencode = readOutput('opencode');
  for (const line of ['> build · model', '\u001b[0m$ \u001b[0mls', 'a.txt', '\u001b[0m']) opencode.readError(line);
  const other = readOutput('text');
  other.readError('\u001b[0m$ \u001b[0mls');
  expect([kiro, opencode, other].map(({ toolCalls }) => toolCalls)).toEqual([1, 1, undefined]);
});
