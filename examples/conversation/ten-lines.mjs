import assert from 'node:assert/strict';
import { Conversation } from '../../dist/index.js'; // in your project: from 'agent-understudy'

const scenario = `${import.meta.dirname}/explore.toml`;
const plugins = [`${import.meta.dirname}/../marketplace/plugins/agent-loop`];
const conversation = await Conversation.start({ agent: 'claude', scenario, plugins, workflow: 'agent-loop' });
try {
  const turn = await conversation.send('/explore the project');
  assert.equal(turn.text, 'One file. Next, run /plan.');
  assert.deepEqual(
    [turn.command?.name, turn.tools[0]?.status, turn.workflowStage],
    ['agent-loop:explore', 'ok', 'exploring'],
  );
} finally {
  await conversation.end();
}
