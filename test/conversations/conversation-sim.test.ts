import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';
import { checkToolsUsed } from '../../packages/verdict/src/checks/tools-used.js';
import { hooksFile, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeSamplePlugin } from '../helpers/sample-plugin.js';

const TIMEOUT = 120_000;
const open: Conversation[] = [];
const scratches: Scratch[] = [];

function scratch(): string {
  const made = createScratch('sim');
  scratches.push(made);
  return made.path;
}

afterEach(async () => {
  for (const conversation of open.splice(0)) await conversation.end();
  for (const made of scratches.splice(0)) await made.remove();
});

async function start(options: ConversationOptions): Promise<Conversation> {
  const conversation = await Conversation.start(options);
  open.push(conversation);
  return conversation;
}

const scenario: ScenarioDocument = {
  responses: [
    { pattern: { type: 'contains', text: 'hello' }, response: 'Hello back.' },
    {
      pattern: { type: 'contains', text: 'name' },
      response: 'Which one?',
      turns: [{ expect: { type: 'contains', text: 'Ada' }, response: 'Noted, Ada.' }],
    },
    { pattern: { type: 'contains', text: 'break' }, failure: { type: 'server_error', message: 'all is lost' } },
  ],
};

describe.for(['claude', 'opencode', 'kiro', 'codex', 'gemini'])('the stand-in for %s', (agent) => {
  it('speaks through the driver of the real one', { timeout: TIMEOUT }, async () => {
    const conversation = await start({ agent, stage: 'sim', scenario });
    expect(await conversation.send('hello')).toMatchObject({ outcome: 'completed', text: 'Hello back.' });
    expect(await conversation.send('nobody expects this')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('no rule of the scenario answers'),
    });
    expect(await conversation.send('break it')).toMatchObject({ outcome: 'failed' });
  });

  it('goes on with its session in the next turn', { timeout: TIMEOUT }, async () => {
    const conversation = await start({ agent, stage: 'sim', scenario });
    expect(await conversation.send('my name')).toMatchObject({ text: 'Which one?' });
    expect(await conversation.send('Ada')).toMatchObject({ text: 'Noted, Ada.' });
  });
});

it.for(['codex', 'gemini'])(
  'tells the tools of the stand-in for %s, which really run',
  { timeout: TIMEOUT },
  async (agent) => {
    const document: ScenarioDocument = {
      responses: [
        {
          pattern: { type: 'any' },
          response: {
            text: 'Written.',
            tool_calls: [
              { tool: 'write', input: { path: 'made.txt', content: 'made\n' } },
              { tool: 'shell', input: { command: 'cat made.txt' } },
            ],
          },
        },
      ],
    };
    const conversation = await start({ agent, stage: 'sim', scenario: document });
    const turn = await conversation.send('write it');
    expect(turn).toMatchObject({ outcome: 'completed', text: 'Written.' });
    expect(turn.tools.at(-1)).toMatchObject({ status: 'ok', result: expect.stringMatching(/^made\n?$/) });
    const seen = { turn: turn.events, all: conversation.events };
    expect(checkToolsUsed(seen, { all: ['shell'] })).toMatchObject([{ status: 'passed' }]);
    expect(checkToolsUsed(seen, { none: ['shell'] })).toMatchObject([{ status: 'failed' }]);
  },
);

it('names the MCP server that did not come up in time, and what it wrote', { timeout: TIMEOUT }, async () => {
  const args = ['-e', 'console.error("cannot find the index"); process.stdin.resume()'];
  const plugin = writePlugin(scratch(), 'mute', { '.mcp.json': { mcpServers: { search: { command: 'node', args } } } });
  const deadlines = { serversMs: 1_000 };
  await expect(start({ stage: 'sim', scenario, plugins: [plugin], deadlines })).rejects.toMatchObject({
    code: 'AGENT_SERVER_NOT_READY',
    message: expect.stringMatching(/plugin:mute:search \(pending: cannot find the index\).* within 1000 ms/),
  });
});

it('names the hook that holds up the start', { timeout: TIMEOUT }, async () => {
  const plugin = writePlugin(scratch(), 'stuck', { 'hooks/hooks.json': hooksFile('SessionStart', 'sleep 600; true') });
  await expect(
    start({ stage: 'sim', scenario, plugins: [plugin], deadlines: { startMs: 3_000 } }),
  ).rejects.toMatchObject({
    code: 'AGENT_START_BLOCKED_BY_HOOK',
    message: expect.stringMatching(/the hook SessionStart:startup is still running after \d+ ms: sleep 600; true$/),
  });
});

it('gives the start and the end of a session beside its turns', { timeout: TIMEOUT }, async () => {
  const hooks = (command: string) => [{ hooks: [{ type: 'command', command }] }];
  const plugin = writePlugin(scratch(), 'both', {
    'hooks/hooks.json': { hooks: { SessionStart: hooks('echo up'), SessionEnd: hooks('echo down') } },
  });
  const conversation = await start({ stage: 'sim', scenario, plugins: [plugin], recordHooks: true });
  const turn = await conversation.send('hello');
  await conversation.end();
  expect(turn.hooks).toEqual([]);
  expect(conversation.turns[0]?.hooks).toEqual([]);
  expect(conversation.start.hooks).toMatchObject([{ name: 'SessionStart:startup', stdout: 'up\n' }]);
  expect(conversation.ending).toMatchObject({ hooks: [{ name: 'SessionEnd:other', stdout: 'down\n' }], leftovers: [] });
});

it('tells that Kiro reports no tools, so that no check of them can pass', { timeout: TIMEOUT }, async () => {
  const shell = {
    pattern: { type: 'any' },
    response: { text: 'Done.', tool_calls: [{ tool: 'shell', input: { command: 'true' } }] },
  };
  const document = { tool_execution: { mode: 'live' }, responses: [shell] } as ScenarioDocument;
  const conversation = await start({ agent: 'kiro', stage: 'sim', scenario: document });
  const turn = await conversation.send('run it');
  const seen = { turn: turn.events, all: conversation.events };
  expect(checkToolsUsed(seen, { none: ['Bash'] })).toMatchObject([{ status: 'unjudged' }]);
});

it('gives the same turns on the stand-in and on the real Claude Code', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const plugin = writeSamplePlugin(scratch());
  const played = async (stage: 'sim' | 'scripted') => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'app.py'), 'print(1)\n');
    const conversation = await start({
      stage,
      cwd,
      plugins: [plugin],
      workflow: 'agent-loop',
      retries: 0,
      scenario: {
        tool_execution: { mode: 'live' },
        responses: [
          {
            pattern: { type: 'command', name: 'explore' },
            response: { text: 'Explored.', tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }] },
          },
          {
            pattern: { type: 'contains', text: 'write' },
            response: {
              text: 'Written.',
              tool_calls: [{ tool: 'Write', input: { file_path: join(cwd, 'new.txt'), content: 'new\n' } }],
            },
          },
          {
            pattern: { type: 'contains', text: 'secret' },
            response: {
              text: 'I may not.',
              tool_calls: [{ tool: 'Write', input: { file_path: join(cwd, 'secret.txt'), content: 'x' } }],
            },
          },
        ],
      },
    });
    const turns = [
      await conversation.send('/explore all'),
      await conversation.send('write it'),
      await conversation.send('the secret'),
    ];
    return turns.map(({ outcome, text, tools, command, files, workflowStage, hooks }) => ({
      outcome,
      text,
      tools: tools.map(({ tool, status }) => ({ tool, status })),
      command: command && { name: command.name, status: command.status, expansion: command.expansion },
      files: files.map(({ path, change, after }) => ({ path, change, after })),
      workflowStage,
      blocked: hooks.filter(({ blocked }) => blocked).map(({ name, stderr }) => ({ name, stderr })),
    }));
  };
  expect(await played('sim')).toEqual(await played('scripted'));
});

it('refuses a stage that a CLI does not have, and a replay without a recording', async () => {
  await expect(Conversation.start({ agent: 'kiro', stage: 'scripted', scenario })).rejects.toMatchObject({
    code: expect.stringMatching(/AGENT_NO_SUCH_STAGE|AGENT_NOT_FOUND/),
  });
  await expect(Conversation.start({ stage: 'sim' })).rejects.toMatchObject({ code: 'SCENARIO_MISSING' });
  await expect(Conversation.start({ stage: 'sim', scenario, resume: 'x' })).rejects.toMatchObject({
    code: 'CONVERSATION_NO_HOME',
  });
});

it.for([{ permissions: 'deny' as const }, { plugins: ['examples'] }])(
  'refuses %o for a CLI that would ignore it',
  async (options) => {
    await expect(Conversation.start({ agent: 'opencode', stage: 'sim', scenario, ...options })).rejects.toMatchObject({
      code: 'AGENT_IGNORES_OPTION',
    });
  },
);

it('ends a conversation that takes too long as a whole', { timeout: TIMEOUT }, async () => {
  const conversation = await start({ stage: 'sim', scenario, deadlines: { conversationMs: 3000 } });
  await conversation.send('hello');
  await expect.poll(() => conversation.events.at(-1)?.type, { timeout: 20_000 }).toBe('session_ended');
  await expect(conversation.send('hello')).rejects.toMatchObject({ code: 'CONVERSATION_ENDED' });
  expect(conversation.events.at(-1)).toMatchObject({
    type: 'session_ended',
    reason: expect.stringContaining('3000 ms'),
  });
  expect(conversation.state).toEqual({ name: 'IDLE' });
});
