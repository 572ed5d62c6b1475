import { expect, it } from 'vitest';
import { createSimulator } from './in-process.js';

it('gives the blocks, all the text and the rule that spoke', () => {
  const simulator = createSimulator({
    responses: [
      {
        pattern: { type: 'contains', text: 'test' },
        response: {
          text: 'Running.',
          tool_calls: [{ tool: 'Bash', input: { command: 'npm test' }, result: '1 failed' }],
          then: [{ expect: { type: 'contains', text: 'failed' }, response: 'It fails.' }],
        },
      },
    ],
  });
  expect(simulator.send('run the tests')).toMatchObject({
    matched: 'responses[0]',
    text: 'Running.\nIt fails.',
    blocks: [{ type: 'text' }, { type: 'tool_use', tool: 'Bash' }, { type: 'text' }],
    tools: [{ tool: 'Bash', input: { command: 'npm test' }, text: '1 failed', isError: false }],
  });
});

it('mocks a tool by the call, then by the scenario, then with nothing', () => {
  const call = (more: object) => ({ tool: 'T', input: {}, ...more });
  const run = (more: object, tools = {}) =>
    createSimulator({ default_response: { text: 'x', tool_calls: [call(more)] }, tool_execution: { tools } }).send('go')
      .tools[0];
  expect(run({})).toMatchObject({ text: '', isError: false });
  expect(run({}, { T: { result: { a: 1 } } })).toMatchObject({ text: '{"a":1}', isError: false });
  expect(run({ result: 'mine' }, { T: { error: 'theirs' } })).toMatchObject({ text: 'mine', isError: false });
  expect(run({}, { T: { error: 'broken' } })).toMatchObject({ text: 'broken', isError: true });
  expect(run({ error: 'own' }, { T: { result: 'fine' } })).toMatchObject({ text: 'own', isError: true });
});

it('gives a failure, or the answer behind it with the tries it took', () => {
  const simulator = createSimulator({
    responses: [
      { pattern: { type: 'exact', text: 'a' }, failure: { type: 'out_of_credits' } },
      { pattern: { type: 'exact', text: 'b' }, failure: { type: 'overloaded', times: 3 }, response: 'back' },
    ],
  });
  expect(simulator.send('a')).toMatchObject({ text: '', failure: { type: 'out_of_credits' }, matched: 'responses[0]' });
  expect(simulator.send('b')).toMatchObject({ text: 'back', retries: 3 });
  expect(simulator.send('b')).not.toHaveProperty('failure');
});

it('reads a slash command', () => {
  const simulator = createSimulator({
    responses: [{ pattern: { type: 'command', name: 'plan' }, response: 'planning {{args}}' }],
    default_response: 'no command',
  });
  expect(simulator.send('/plan the work').text).toBe('planning the work');
  expect(simulator.send('/plan/b').text).toBe('no command');
});

it('keeps the history, what was unused and what nothing answered, until it is reset', () => {
  const simulator = createSimulator({
    responses: [
      { pattern: { type: 'exact', text: 'a' }, response: 'A', max_matches: 1 },
      { pattern: { type: 'exact', text: 'b' }, response: 'B' },
    ],
  });
  simulator.send('a');
  expect(simulator.send('a').unanswered).toMatchObject({ what: 'prompt' });
  expect(simulator.history).toHaveLength(2);
  expect(simulator.unmatched).toHaveLength(1);
  expect(simulator.unused.map((part) => part.rulePath)).toEqual(['responses[1]']);
  simulator.reset();
  expect(simulator.history).toEqual([]);
  expect(simulator.unmatched).toEqual([]);
  expect(simulator.send('a').text).toBe('A');
});

it('adds up the tokens of a turn', () => {
  const usage = { input_tokens: 3, output_tokens: 4 };
  const simulator = createSimulator({ default_response: { text: 'x', tool_calls: [{ tool: 'T' }], usage } });
  expect(simulator.send('go').usage).toMatchObject(usage);
});
