import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { realAgent } from '../helpers/real-agents.js';

const scenario = defineScenario({
  responses: [
    {
      pattern: { type: 'contains', text: 'look' },
      response: { text: 'Seen.', tool_calls: [{ tool: 'Bash', input: { command: 'echo here' }, result: 'here' }] },
    },
    { pattern: { type: 'contains', text: 'again' }, response: 'Seen twice.' },
  ],
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function ownFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`understudy-${process.pid}-`));
}

async function talk(): Promise<void> {
  const conversation = await Conversation.start({ stage: 'sim', inProcess: true, scenario, workflow: 'agent-loop' });
  expect(await conversation.send('look')).toMatchObject({
    ok: true,
    text: 'Seen.',
    tools: [{ tool: 'Bash', result: 'here' }],
  });
  expect(await conversation.send('again')).toMatchObject({ ok: true, text: 'Seen twice.' });
  expect(await conversation.send('something else')).toMatchObject({ ok: false, reason: 'unanswered' });
  await conversation.end();
}

it('holds 1,000 conversations in one process and leaks neither memory, handles nor folders', {
  timeout: 180_000,
}, async () => {
  for (let warm = 0; warm < 100; warm++) await talk();
  collectGarbage();
  const before = {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    folders: ownFolders().length,
  };
  for (let batch = 0; batch < 100; batch++) await Promise.all(Array.from({ length: 10 }, talk));
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - before.heap;
  expect(grown).toBeLessThan(10_000_000);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before.handles + 2);
  expect(ownFolders()).toHaveLength(before.folders);
});

it('holds eight conversations with the real Claude Code side by side', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const server = await startModelServer({ scenario });
  try {
    const conversations = await Promise.all(
      Array.from({ length: 8 }, () => Conversation.start({ server, deadlines: { startMs: 240_000 } })),
    );
    const turns = await Promise.all(
      conversations.map(async (conversation) => [await conversation.send('look'), await conversation.send('again')]),
    );
    await Promise.all(conversations.map((conversation) => conversation.end()));
    expect(turns.flat().map(({ text }) => text)).toEqual(Array(8).fill(['Seen.', 'Seen twice.']).flat());
    expect(new Set(conversations.map(({ sessionId }) => sessionId)).size).toBe(8);
  } finally {
    await server.close();
  }
});
