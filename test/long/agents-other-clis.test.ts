import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';
import { realAgent } from '../helpers/real-agents.js';
import { makesLongProofs, sample, seedOr } from '../helpers/seeded.js';
import { untilAnswering } from '../helpers/until-answering.js';

const TIMEOUT = 180_000;
const open: Conversation[] = [];
const scratches: Scratch[] = [];

afterEach(async () => {
  for (const conversation of open.splice(0)) await conversation.end();
  for (const made of scratches.splice(0)) await made.remove();
});

function project(): string {
  const made = createScratch('project');
  scratches.push(made);
  writeFileSync(join(made.path, 'app.py'), 'print("hello")\n');
  return made.path;
}

async function start(agent: string, context: TestContext, options: ConversationOptions): Promise<Conversation> {
  const found = await realAgent(agent, context);
  const conversation = await Conversation.start({ agent: `${agent}@${found.version}`, retries: 0, ...options });
  open.push(conversation);
  return conversation;
}

const scenario: ScenarioDocument = {
  responses: [
    {
      pattern: { type: 'contains', text: 'look' },
      response: { text: 'There is app.py.', tool_calls: [{ tool: 'shell', input: { command: 'ls' } }] },
    },
    {
      pattern: { type: 'contains', text: 'write' },
      response: { text: 'Written.', tool_calls: [{ tool: 'write', input: { path: 'new.txt', content: 'new\n' } }] },
    },
    {
      pattern: { type: 'contains', text: 'wrong' },
      response: { text: 'It failed.', tool_calls: [{ tool: 'shell', input: { command: 'echo bad; exit 7' } }] },
    },
    { pattern: { type: 'contains', text: 'refuse me' }, failure: { type: 'auth_error', message: 'the key is bad' } },
  ],
};

// Their starts are most of what this file costs: one of the three by seed, all in a long run.
describe.for(makesLongProofs ? sample(['opencode', 'codex', 'gemini'], 1, seedOr(1)) : [])('%s', (agent) => {
  it('holds a conversation: a tool runs, a file changes, a failed command and a refused key are told', {
    timeout: TIMEOUT,
  }, async (context) => {
    const conversation = await start(agent, context, { cwd: project(), scenario });

    const look = await conversation.send('look "around"  -- please');
    expect(look).toMatchObject({ outcome: 'completed', text: 'There is app.py.' });
    expect(look.tools).toMatchObject([
      { status: 'ok', input: { command: 'ls' }, result: expect.stringContaining('app.py') },
    ]);
    const session = conversation.sessionId;
    expect(session).toBeTruthy();

    const write = await conversation.send('write it');
    expect(write).toMatchObject({
      outcome: 'completed',
      text: 'Written.',
      files: [{ path: 'new.txt', change: 'created', after: 'new\n' }],
    });
    expect(conversation.sessionId).toBe(session);

    const wrong = await conversation.send('do it wrong');
    expect(wrong.text).toBe('It failed.');
    expect(wrong.tools[0]?.result).toContain('bad');
    if (agent !== 'gemini') expect(wrong.tools).toMatchObject([{ status: 'error', exitCode: 7 }]);

    const refused = await conversation.send('refuse me');
    expect(refused).toMatchObject({
      outcome: 'failed',
      reason: 'api_error',
      text: '',
      message: expect.stringContaining('the key is bad'),
    });
    expect(conversation.server?.journal.entries({ kind: 'failure' })).toMatchObject([
      { failure: 'auth_error', status: 401 },
    ]);
    // Gemini’s exit code is an HTTP status cut to eight bits: its result is read instead.
    if (agent === 'gemini')
      expect(refused.events.find(({ type }) => type === 'process_ended')).toMatchObject({ code: 401 % 256 });

    const prompts = conversation.server?.journal.entries({ kind: 'answer' }).flatMap(({ prompt }) => prompt ?? []);
    expect(prompts).toContain('look "around"  -- please');
  });

  it('ends a turn that takes too long, and the next one works', { timeout: TIMEOUT }, async (context) => {
    const conversation = await start(agent, context, {
      cwd: project(),
      scenario: {
        responses: [
          // First: Gemini puts a prompt that was never answered before the next one, into the same message.
          { pattern: { type: 'contains', text: 'next' }, response: 'Here.' },
          { pattern: { type: 'contains', text: 'slow' }, response: { text: 'late', delay_ms: 120_000 } },
        ],
      },
    });
    expect(await conversation.send('slow', { deadlineMs: 12_000 })).toMatchObject({ outcome: 'timed_out' });
    expect(await conversation.send('next')).toMatchObject({ outcome: 'completed', text: 'Here.' });
  });
});

/** A server that answers every request with 200 and a page, as a captive portal does. */
async function portal(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end('<html>Please log in</html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

if (makesLongProofs)
  it('does not believe OpenCode’s exit code 0 when the model never answered', { timeout: TIMEOUT }, async (context) => {
    const page = await portal();
    try {
      const conversation = await start('opencode', context, {
        cwd: project(),
        scenario,
        environment: { OPENCODE_CONFIG_CONTENT: await openCodeConfig(page.url) },
      });
      const turn = await conversation.send('look');
      expect(turn).toMatchObject({
        outcome: 'failed',
        reason: 'no_answer',
        message: expect.stringContaining('unknown'),
      });
      expect(turn.events.find(({ type }) => type === 'process_ended')).toMatchObject({ code: 0 });
    } finally {
      page.close();
    }
  });

it('does not believe OpenCode’s exit code 0 when a tool was rejected', { timeout: TIMEOUT }, async (context) => {
  const asking = await start('opencode', context, {
    cwd: project(),
    scenario,
    environment: { OPENCODE_PERMISSION: JSON.stringify({ bash: 'ask' }) },
  });
  const turn = await asking.send('look');
  expect(turn).toMatchObject({ outcome: 'failed', reason: 'rejected_tool', tools: [{ status: 'denied' }] });
  expect(turn.events.find(({ type }) => type === 'process_ended')).toMatchObject({ code: 0 });
});

it('tells what each turn of Codex used, and gives its newer models their tools', {
  timeout: TIMEOUT,
}, async (context) => {
  const usage = { input_tokens: 100, output_tokens: 7 };
  const tool_calls = [{ tool: 'Bash', input: { command: 'echo seen; exit 3' } }];
  const conversation = await start('codex', context, {
    cwd: project(),
    modelName: 'gpt-5.6-sol',
    scenario: {
      responses: [
        { pattern: { type: 'contains', text: 'again' }, response: { text: 'Again.', usage } },
        { pattern: { type: 'any' }, response: { text: 'Seen.', usage, tool_calls } },
      ],
    },
  });
  const first = await conversation.send('look');
  expect(first).toMatchObject({
    text: 'Seen.',
    tools: [{ tool: 'exec_command', input: { command: 'echo seen; exit 3' }, status: 'error' }],
  });
  const second = await conversation.send('again');
  expect(second.events.find(({ type }) => type === 'turn_ended')).toMatchObject({
    usage: { inputTokens: 100, outputTokens: 7 },
  });
});

it('tells a Codex that died', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start('codex', context, {
    cwd: project(),
    scenario: { responses: [{ pattern: { type: 'any' }, response: { text: 'late', delay_ms: 60_000 } }] },
  });
  const turn = conversation.send('hello');
  await untilAnswering(conversation);
  process.kill(conversation.pid ?? 0, 'SIGKILL');
  expect(await turn).toMatchObject({ outcome: 'died', message: expect.stringContaining('SIGKILL') });
});

async function openCodeConfig(url: string): Promise<string> {
  const { agentEnvironment } = await import('../../packages/agents/src/model/server.js');
  return agentEnvironment('opencode', { url, key: 'sk-nobody-asks-for-it' }).env['OPENCODE_CONFIG_CONTENT'] ?? '';
}
