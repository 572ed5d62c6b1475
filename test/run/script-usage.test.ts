import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { connectOverStdio } from '../helpers/mcp-client.js';
import { realAgent } from '../helpers/real-agents.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('script-usage');
});
afterEach(() => scratch.remove());

const scenario = {
  responses: [
    { pattern: { type: 'contains' as const, text: 'hello' }, response: 'Hello.' },
    { pattern: { type: 'contains' as const, text: 'goodbye' }, response: 'Goodbye.' },
  ],
};

it.for([
  { title: 'sim', options: { stage: 'sim' as const } },
  { title: 'sim in this process', options: { stage: 'sim' as const, inProcess: true } },
  { title: 'sim of another agent', options: { stage: 'sim' as const, agent: 'opencode' } },
  { title: 'scripted', options: { stage: 'scripted' as const } },
])('on $title the conversation knows which rules answered and what nothing answered', async ({ options }, context) => {
  if (options.stage === 'scripted') await realAgent('claude', context);
  const conversation = await Conversation.start({ ...options, scenario });
  await conversation.send('hello');
  expect(conversation.scriptUsage()).toMatchObject({ unused: [{ rulePath: 'responses[1]' }], unmatched: [] });
  await conversation.send('what now?');
  await conversation.end();
  const usage = conversation.scriptUsage();
  expect(usage?.unused.map(({ rulePath }) => rulePath)).toEqual(['responses[1]']);
  expect(usage?.unmatched, 'after the end').toHaveLength(1);
  expect(usage?.unmatched[0]?.message).toContain('what now?');
});

it('end_conversation and the report name the unused rules and unanswered prompts on sim', async () => {
  const { client, call } = await connectOverStdio();
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: { stage: 'sim', scenario },
  });
  for (const prompt of ['hello', 'what now?']) {
    const { response_id } = await call<{ response_id: string }>('send_prompt', { session_id, prompt });
    await call('get_response', { response_id });
  }
  expect(await call('end_conversation', { session_id })).toMatchObject({
    unused_rules: ['responses[1] (contains "goodbye")'],
    unanswered: [expect.stringContaining('what now?')],
  });
  const { contents } = await client.readResource({ uri: `understudy://conversations/${session_id}/report` });
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
    unused_rules: [{ rulePath: 'responses[1]' }],
    unanswered: [{ message: expect.stringContaining('what now?') }],
  });
});

it('in Vitest a rule that answered in this process counts as used, and one that did not fails the test', async () => {
  const { tests } = await runInlineTests(join(scratch.path, 'tests'), {
    'a.test.ts': `
import { expect, test } from 'agent-understudy/vitest';
const hello = { responses: [{ pattern: { type: 'contains', text: 'hello' }, response: 'A plan.' }] };
test.override({ stage: 'sim', options: { inProcess: true }, scenario: hello });
test('uses its rule', async ({ conversation }) => {
  expect(await conversation.send('hello')).toMeet({ keywords: { any: ['plan'] } });
});
test('leaves its rule unused', async ({ conversation }) => {
  expect(conversation.turns).toEqual([]);
});
`,
  });
  expect(tests.map(({ title, status }) => `${status} ${title}`)).toEqual([
    'passed uses its rule',
    'failed leaves its rule unused',
  ]);
  expect(tests[1]?.message).toContain('responses[0] (contains "hello")');
});
