import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import type { ModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';
import { realAgent } from '../helpers/real-agents.js';
import { projectToTalkAbout, talk } from '../helpers/recorded-talk.js';

const KEY = 'sk-ant-loopback-loopback-0123456789';
const servers: ModelServer[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) await server.close();
});

/** A model on loopback that stands for the real ones. */
async function realModel(rule = 'The app prints hello.'): Promise<ModelServer> {
  const server = await startModelServer({
    key: KEY,
    scenario: defineScenario({
      responses: [
        {
          pattern: { type: 'contains', text: 'What does app.py print' },
          response: { tool_calls: [{ tool: 'Bash', input: { command: 'cat app.py' } }], text: rule },
        },
      ],
      default_response: 'The real model heard you.',
    }),
  });
  servers.push(server);
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
  vi.stubEnv('OPENAI_BASE_URL', `${server.url}/v1`);
  vi.stubEnv('OPENAI_API_KEY', KEY);
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  vi.stubEnv('GEMINI_API_KEY', KEY);
  return server;
}

/** What was said and done in a conversation with these prompts. */
async function outcomeOf(options: ConversationOptions, prompts: readonly string[]) {
  const conversation = await talk(options, prompts);
  const said = conversation.events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  const tools = conversation.events.flatMap((event) => (event.type === 'tool_call' ? [event.tool] : []));
  const ends = conversation.events.flatMap((event) => (event.type === 'turn_ended' ? [event.outcome] : []));
  return { said: said.join('').trim(), tools, ends, usage: conversation.scriptUsage() };
}

it.for(['codex', 'gemini'])(
  'replays a conversation of the real %s when the model is gone',
  {
    timeout: 300_000,
  },
  async (name, context) => {
    const { agent, version } = await realAgent(name, context);
    const cwd = projectToTalkAbout();
    const cassette = join(cwd, '..', 'talk.cassette.jsonl');
    const model = await realModel();
    const prompts = ['What does app.py print?', 'Thank you!'];
    const spec = `${agent}@${version}`;
    const recorded = await outcomeOf({ agent: spec, stage: 'live', record: true, cassette, cwd }, prompts);
    expect(recorded).toMatchObject({ ends: ['completed', 'completed'] });
    expect(recorded.said).toContain('The app prints hello.');
    expect(recorded.said).toContain('The real model heard you.');
    expect(recorded.tools).toHaveLength(1);
    await model.close();
    vi.unstubAllEnvs();
    for (const secret of [KEY, cwd]) expect(readFileSync(cassette, 'utf8')).not.toContain(secret);

    const replayed = await outcomeOf({ agent: spec, stage: 'replay', cassette, cwd: projectToTalkAbout() }, prompts);
    expect(replayed).toEqual({ ...recorded, usage: { unused: [], unmatched: [] } });
    const changed = await outcomeOf({ agent: spec, stage: 'replay', cassette, cwd: projectToTalkAbout() }, [
      'What is app.py?',
    ]);
    expect(changed.usage?.unmatched[0]?.message).toContain('- What does app.py print?\n+ What is app.py?');
  },
);

it('goes on live from a turn of a recording, with the real Claude Code', { timeout: 300_000 }, async (context) => {
  const { agent, version } = await realAgent('claude', context);
  const spec = `${agent}@${version}`;
  const cwd = projectToTalkAbout();
  const cassette = join(cwd, '..', 'talk.cassette.jsonl');
  const first = await realModel();
  const prompts = ['What does app.py print?', 'Thank you!'];
  await outcomeOf({ agent: spec, stage: 'live', record: true, cassette, cwd }, prompts);
  await first.close();

  const asked = await realModel('The other model was asked again.');
  const own = { agent: spec, stage: 'replay', cassette, fromTurn: 2, record: true } as const;
  const forked = await outcomeOf({ ...own, cwd: projectToTalkAbout() }, [
    prompts[0] ?? '',
    'And now for something else',
  ]);
  expect(forked).toMatchObject({ ends: ['completed', 'completed'], usage: { unused: [], unmatched: [] } });
  // The first turn is that of the recording; the second comes from the model that is there now, and was never recorded.
  expect(forked.said).toContain('The app prints hello.');
  expect(forked.said).toContain('The real model heard you.');
  const prompted = asked.journal.entries().flatMap(({ kind, prompt }) => (kind === 'answer' ? [prompt] : []));
  expect(prompted).toEqual(['And now for something else']);
});
