// The expectations of rehearsals in node:test, on a turn and on a program: `node --test examples/assert`
// Jest, Mocha and Bun run the same lines with their own `test`.
import { test } from 'node:test';
import { Conversation } from 'agent-understudy';
import { expectRun, expectTurn, runProgram } from 'agent-understudy/assert';
import house from '../own-parts/house.mjs';

const scenario = {
  responses: [
    {
      pattern: { type: 'contains', text: 'explore' },
      response: {
        text: 'Hello. I looked around. Next, run /plan.',
        tool_calls: [{ tool: 'Bash', input: { command: 'ls' } }],
      },
    },
  ],
};

test('exploring leads to a plan', async (t) => {
  const conversation = await Conversation.start({ stage: 'sim', scenario });
  t.after(() => conversation.end());
  const turn = await conversation.send('explore the code');
  expectTurn(turn, { suggests: '/plan', tools: { any: ['Read', 'Bash'] } });
  // A check of your own, by the prefix that you give it.
  expectTurn(turn, { house: { polite: true } }, { checks: { house } });
});

test('a program asks the agent once', async () => {
  const run = await runProgram('claude --print "explore $(basename $PWD)"', { stage: 'sim', scenario, project: {} });
  expectRun(run, { stdout: { contains: '/plan' }, calls: { count: 1, agent: 'claude' } });
});
