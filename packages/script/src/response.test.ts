import { expect, it } from 'vitest';
import type { Block, Message, Reply, ToolResult } from './reply.js';
import { compileResponse } from './response.js';
import type { Response } from './schema.js';

function start(response: Response): Message {
  const speak = compileResponse(response, 'here', (rulePath) => {
    throw new Error(`nothing takes the results at ${rulePath}`);
  });
  return speak({ prompt: { text: 'the prompt' }, captures: { groups: ['all', 'one'], named: {} } });
}

function goOn(message: Message, ...texts: string[]): Message {
  const results = texts.map((text): ToolResult => ({ tool: 'T', text, isError: text.startsWith('!') }));
  const reply = message.next?.(results) as Reply;
  if (reply.kind !== 'message') throw new Error(`a ${reply.kind} instead of a message`);
  return reply.message;
}

const shape = (message: Message) =>
  message.blocks.map((block: Block) => (block.type === 'tool_use' ? block.tool : block.text));

it('runs the tools first and closes the turn with the text when there is no then', () => {
  const first = start({ text: 'done', tool_calls: [{ tool: 'A' }, { tool: 'B' }] });
  expect(shape(first)).toEqual(['A', 'B']);
  expect(first.stopReason).toBe('tool_use');
  const last = goOn(first, '', '');
  expect(shape(last)).toEqual(['done']);
  expect(last.stopReason).toBe('end_turn');
  expect(last.next).toBeUndefined();
});

it('says the text before the tools when there is a then', () => {
  const first = start({ text: 'let me see', tool_calls: [{ tool: 'A' }], then: 'seen' });
  expect(shape(first)).toEqual(['let me see', 'A']);
  expect(shape(goOn(first, ''))).toEqual(['seen']);
});

it('takes the first branch whose conditions hold', () => {
  const first = start({
    tool_calls: [{ tool: 'A' }],
    then: [
      { error: true, response: 'it failed: {{results}}' },
      { expect: { type: 'regex', pattern: '(\\d+) errors' }, response: '{{1}} errors' },
      { response: 'fine, {{1}}' },
    ],
  });
  expect(shape(goOn(first, '!boom'))).toEqual(['it failed: !boom']);
  expect(shape(goOn(first, '7 errors'))).toEqual(['7 errors']);
  expect(shape(goOn(first, 'ok'))).toEqual(['fine, one']);
});

it('says that no branch takes the results', () => {
  const first = start({ tool_calls: [{ tool: 'A' }], then: [{ expect: { type: 'exact', text: 'x' }, response: 'y' }] });
  expect(() => goOn(first, 'z')).toThrow('nothing takes the results at here.then');
});

it('goes as deep as it is nested', () => {
  let message = start({
    tool_calls: [{ tool: 'A' }],
    then: {
      text: 'and',
      tool_calls: [{ tool: 'B' }],
      then: [{ response: { tool_calls: [{ tool: 'C' }], text: 'end' } }],
    },
  });
  const seen = [shape(message)];
  while (message.next !== undefined) {
    message = goOn(message, '');
    seen.push(shape(message));
  }
  expect(seen).toEqual([['A'], ['and', 'B'], ['C'], ['end']]);
});

it('starts a new message behind each run of tools when blocks are given in order', () => {
  const first = start({
    blocks: [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'one' },
      { type: 'tool_use', tool: 'A' },
      { type: 'tool_use', tool: 'B' },
      { type: 'text', text: 'two' },
      { type: 'tool_use', tool: 'C' },
      { type: 'text', text: 'three' },
    ],
  });
  expect(shape(first)).toEqual(['hm', 'one', 'A', 'B']);
  const second = goOn(first, '', '');
  expect(shape(second)).toEqual(['two', 'C']);
  expect(shape(goOn(second, ''))).toEqual(['three']);
});

it('counts the tokens of a response once, however many messages it takes', () => {
  const first = start({ text: 'done', tool_calls: [{ tool: 'A' }], usage: { input_tokens: 10, output_tokens: 5 } });
  expect(first.usage).toEqual({ input_tokens: 0, output_tokens: 0 });
  expect(goOn(first, '').usage).toEqual({ input_tokens: 10, output_tokens: 5 });
  const before = start({
    ...{ text: 'first', tool_calls: [{ tool: 'A' }], usage: { output_tokens: 7 } },
    then: { text: 'done', usage: { output_tokens: 2 } },
  });
  expect(before.usage).toEqual({ output_tokens: 7 });
  expect(goOn(before, '').usage).toEqual({ output_tokens: 2 });
});

it('keeps the pieces of a text, with their placeholders filled', () => {
  const { blocks } = start({ chunks: ['a{{nothing}}', '{{agent}}', 'b'] });
  expect(blocks).toEqual([{ type: 'text', text: 'a{{nothing}}b', pieces: ['a{{nothing}}', 'b'] }]);
});

it('waits before the first message only, and paces them all', () => {
  const first = start({ text: 'done', tool_calls: [{ tool: 'A' }], delay_ms: 5, pace: { tokens_per_second: 10 } });
  const last = goOn(first, '');
  expect([first.delayMs, last.delayMs]).toEqual([5, undefined]);
  expect([first.pace, last.pace]).toEqual([{ tokens_per_second: 10 }, { tokens_per_second: 10 }]);
});

it('gives the scripted reason for stopping with the last message', () => {
  const first = start({ text: 'and so', tool_calls: [{ tool: 'A' }], stop_reason: 'max_tokens' });
  expect(first.stopReason).toBe('tool_use');
  expect(goOn(first, '').stopReason).toBe('max_tokens');
});

it('fills templates in texts and deep inside inputs, unless told not to', () => {
  const calls = [{ tool: 'A', input: { list: [{ said: '{{prompt}}' }], n: 1 } }];
  expect(start({ tool_calls: calls, text: 'x' }).blocks[0]).toMatchObject({
    input: { list: [{ said: 'the prompt' }], n: 1 },
  });
  expect(start({ tool_calls: calls, text: 'x', template: false }).blocks[0]).toMatchObject({
    input: { list: [{ said: '{{prompt}}' }] },
  });
});

it('gives each message inputs of its own', () => {
  const speak = compileResponse({ tool_calls: [{ tool: 'A', input: { list: [] } }], text: 'x' }, 'here', () => {
    throw new Error('no');
  });
  const context = { prompt: { text: '' }, captures: { groups: [], named: {} } };
  const [first] = speak(context).blocks;
  if (first?.type !== 'tool_use') throw new Error('no tool');
  (first.input['list'] as unknown[]).push('changed');
  expect(speak(context).blocks[0]).toMatchObject({ input: { list: [] } });
});
