import { allowedActions, type ConversationState } from '@understudy/stage';
import { expect, it } from 'vitest';
import { makeToolList } from './tool-list.js';

it('the list that is kept is the list of the tools', async () => {
  // Made anew with: npx vitest run --project unit src/mcp/tool-list.test.ts --update
  await expect(`${JSON.stringify(await makeToolList(), null, 1)}\n`).toMatchFileSnapshot('./tools.schema.json');
});

/**
 * The tokenizers of models are not public, so this is an estimate on the safe side: four characters each. Two public
 * tokenizers need one token for 4.2 and for 4.4 characters of this text.
 */
const CHARACTERS_PER_TOKEN = 4;

it('costs a client fewer than 5,000 tokens', async () => {
  const told = Object.values(await makeToolList()).flatMap((tools) =>
    tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
  );
  expect(told).toHaveLength(38);
  expect(JSON.stringify(told).length / CHARACTERS_PER_TOKEN).toBeLessThan(5000);
});

it('the actions that a conversation allows are tools of the list', async () => {
  const tools = Object.values(await makeToolList()).flatMap((category) => category.map(({ name }) => name));
  const response = { id: '', text: '', toolCalls: [], progress: 0 };
  const states: ConversationState[] = [
    { name: 'IDLE' },
    { name: 'USER_PROMPT' },
    { name: 'USER_PROMPT', prompt: { text: '', id: '', at: '' } },
    { name: 'AGENT_RESPONDING', response },
    { name: 'COMMAND_EXECUTING', command: { name: '', args: '', executionId: '', startedAt: '' }, response },
    { name: 'WORKFLOW_TRANSITION', transition: { from: '', to: '', at: '', trigger: '' }, response },
  ];
  expect(tools).toEqual(expect.arrayContaining(states.flatMap((state) => [...allowedActions(state)])));
});
