import { InvalidDocumentError, UnderstudyError } from '@understudy/kit';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool, readOnly, type ToolContext } from './tool.js';

const context: ToolContext = {
  harness: () => Promise.reject(new Error('not needed')),
  signal: new AbortController().signal,
  progress: () => {},
};

function toolThat(run: (input: { count: number }) => unknown) {
  return defineTool({
    name: 'count',
    title: 'Count',
    description: 'counts',
    annotations: readOnly,
    input: z.strictObject({ count: z.number().default(1) }),
    output: z.object({ counted: z.number() }),
    run: async (input) => run(input) as { counted: number },
    text: ({ counted }) => `${counted} counted`,
    links: ({ counted }) => (counted > 1 ? [{ uri: 'understudy://x', name: 'x' }] : []),
  });
}

it('gives structure, words and links', async () => {
  const tool = toolThat(({ count }) => ({ counted: count, secret: 'left out' }));
  expect(await tool.call({ count: 2 }, context)).toEqual({
    content: [
      { type: 'text', text: '2 counted' },
      { type: 'resource_link', uri: 'understudy://x', name: 'x' },
    ],
    structuredContent: { counted: 2 },
  });
  expect(await tool.call(undefined, context)).toMatchObject({ structuredContent: { counted: 1 } });
});

it.each([
  ['wrong arguments', () => ({}), { count: 'many' }, 'MCP_BAD_INPUT'],
  ['an error of ours', () => fail(new UnderstudyError('AGENT_BUSY', 'no', { fix: 'do' })), {}, 'AGENT_BUSY'],
  ['an error of the system', () => fail(Object.assign(new Error('gone'), { code: 'ENOENT' })), {}, 'SYSTEM_ERROR'],
  ['a fault', () => fail(new TypeError('x is not a function')), {}, 'INTERNAL'],
  ['an output that is none', () => ({ counted: 'many' }), {}, 'INTERNAL'],
])('tells %s as a result', async (_what, run, args, code) => {
  const answer = await toolThat(run).call(args, context);
  expect(answer).toMatchObject({ isError: true, structuredContent: { error: { code } } });
  expect(JSON.stringify(answer.content)).toContain(code);
});

it('tells every problem of a document', async () => {
  const problems = ['a', 'b'].map((path) => ({
    code: 'WRONG_TYPE' as const,
    message: `${path} is bad`,
    path,
    location: { line: 1 },
  }));
  const answer = await toolThat(() => fail(new InvalidDocumentError('SCENARIO_INVALID', 'it', problems))).call(
    {},
    context,
  );
  expect(JSON.stringify(answer.content)).toMatch(/a is bad.*b is bad/);
});

it('tells no secret, neither in a result nor in an error', async () => {
  const said = 'the key is sk-ant-api03-abcdefghijklmnop';
  const telling = defineTool({
    ...{ name: 'tell', title: 'Tell', description: 'tells', annotations: readOnly },
    input: z.strictObject({ fails: z.boolean() }),
    output: z.object({ said: z.string() }),
    run: async ({ fails }) => (fails ? fail(new UnderstudyError('AGENT_BUSY', said)) : { said }),
    text: (output) => output.said,
  });
  for (const fails of [true, false]) {
    const answer = JSON.stringify(await telling.call({ fails }, context));
    expect(answer).toContain('the key is [secret]');
    expect(answer).not.toContain('sk-ant');
  }
});

function fail(error: Error): never {
  throw error;
}
