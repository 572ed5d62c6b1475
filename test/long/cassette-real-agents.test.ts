import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, expect, it, type TestContext, vi } from 'vitest';
import { CassetteFile } from '../../packages/model/src/cassette/reader.js';
import type { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';
import { realAgent } from '../helpers/real-agents.js';
import { projectToTalkAbout, talk } from '../helpers/recorded-talk.js';

const TIMEOUT = 120_000;
const KEY = 'sk-ant-loopback-loopback-0123456789';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

/** A model on loopback that is not ours: it lets the agent read a file, and says what is in it. */
async function upstream(tool: { name: string; arguments: string }): Promise<LLMock> {
  const mock = new LLMock({ port: 0, chunkSize: 7 });
  mock.on({ toolCallId: 'toolu_read_1' }, { content: 'The app prints hello. Next, run /plan.' });
  mock.on({ userMessage: 'What does app.py print' }, { toolCalls: [{ ...tool, id: 'toolu_read_1' }] });
  mock.on({ userMessage: 'Thank you' }, { content: 'You are welcome.' });
  mock.on({}, { content: 'Something else.' });
  await mock.start();
  closing.push(() => mock.stop().catch(() => {}));
  return mock;
}

/** What can be compared of a conversation with these prompts. */
async function outcomeOf(options: ConversationOptions, prompts: readonly string[]) {
  const conversation = await talk(options, prompts);
  return { events: comparable(conversation, options.cwd ?? ''), usage: conversation.scriptUsage() };
}

/** The events without what differs in every run: ids, times, the name of the stage, costs. */
function comparable({ events }: Conversation, cwd: string): unknown[] {
  return events.flatMap((event) => {
    if (event.type === 'process_ended' || event.type === 'unknown') return [];
    const { seq: _, at: __, ...rest } = event;
    const text = JSON.stringify(rest, (key, value: unknown) =>
      ['id', 'sessionId', 'milliseconds', 'costUsd', 'stage'].includes(key) ? undefined : value,
    );
    return [JSON.parse(text.replaceAll(cwd, '<cwd>'))];
  });
}

const PROMPTS = ['What does app.py print?', 'Thank you!'];

it('replays a conversation of the real Claude Code when the model is gone', {
  timeout: TIMEOUT,
}, async (context: TestContext) => {
  const { agent, version } = await realAgent('claude', context);
  const spec = `${agent}@${version}`;
  const cwd = projectToTalkAbout();
  const cassette = join(cwd, '..', 'talk.cassette.jsonl');
  const mock = await upstream({ name: 'Read', arguments: JSON.stringify({ file_path: join(cwd, 'app.py') }) });
  vi.stubEnv('ANTHROPIC_BASE_URL', mock.url);
  vi.stubEnv('ANTHROPIC_API_KEY', KEY);
  const recorded = await outcomeOf({ agent: spec, stage: 'live', record: true, cassette, cwd }, PROMPTS);
  expect(JSON.stringify(recorded.events)).toContain('The app prints hello');
  await mock.stop();
  vi.unstubAllEnvs();

  const text = readFileSync(cassette, 'utf8');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain(cwd);
  const elsewhere = projectToTalkAbout();
  const replayed = await outcomeOf({ agent: spec, stage: 'replay', cassette, cwd: elsewhere }, PROMPTS);
  expect(replayed.events).toEqual(recorded.events);
  expect(replayed.usage).toEqual({ unused: [], unmatched: [] });
});

it('replays a conversation of the real OpenCode when the model is gone', {
  timeout: TIMEOUT,
}, async (context: TestContext) => {
  const { agent, version } = await realAgent('opencode', context);
  const spec = `${agent}@${version}`;
  const cwd = projectToTalkAbout();
  const cassette = join(cwd, '..', 'talk.cassette.jsonl');
  const mock = await upstream({ name: 'read', arguments: JSON.stringify({ filePath: join(cwd, 'app.py') }) });
  const models = { tiny: { name: 'Tiny', limit: { context: 100_000, output: 8_000 } } };
  const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${mock.url}/v1`, apiKey: KEY }, models };
  vi.stubEnv('OPENCODE_CONFIG_CONTENT', JSON.stringify({ model: 'loopback/tiny', provider: { loopback: provider } }));
  const recorded = await outcomeOf({ agent: spec, stage: 'live', record: true, cassette, cwd }, PROMPTS.slice(0, 1));
  expect(JSON.stringify(recorded.events)).toContain('The app prints hello');
  await mock.stop();
  vi.unstubAllEnvs();

  expect(readFileSync(cassette, 'utf8')).not.toContain(KEY);
  const replayed = await outcomeOf(
    { agent: spec, stage: 'replay', cassette, cwd: projectToTalkAbout() },
    PROMPTS.slice(0, 1),
  );
  expect(replayed.events).toEqual(recorded.events);
  expect(replayed.usage).toEqual({ unused: [], unmatched: [] });
  const file = CassetteFile.open(cassette);
  expect(file.header.agents).toEqual([{ agent, version }]);
  expect(file.isCut).toBe(false);
  file.close();
});
