import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ModelStep, say, tool } from '../../packages/suites/src/drift/case.js';
import { startClaudeModel } from '../../packages/suites/src/drift/case-model.js';
import { scenarioOf } from '../../packages/suites/src/drift/case-scenario.js';
import { realAgent } from '../helpers/real-agents.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { type AgentSdk, loadAgentSdk, type Query, type SdkMessage } from './agent-sdk/install.js';

const sdk = await loadAgentSdk();
const claude = await realAgent('claude');
const programs = [
  { name: 'the stand-in', executable: STAND_IN },
  ...(claude === undefined ? [] : [{ name: 'the real Claude Code', executable: claude.command[0] ?? '' }]),
];

/** Options of a query in a scratch home, where the model says these messages. */
async function options(executable: string, turns: ModelStep[][]): Promise<Record<string, unknown>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-sdk-')));
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  const scenario = join(root, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(scenarioOf(turns)));
  const model = await startClaudeModel(turns);
  onTestFinished(async () => {
    await model.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    pathToClaudeCodeExecutable: executable,
    cwd,
    settingSources: [],
    env: {
      PATH: process.env['PATH'],
      HOME: root,
      CLAUDE_CONFIG_DIR: join(root, '.claude'),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-nothing',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      UNDERSTUDY_SCENARIO: scenario,
    },
  };
}

async function collect(query: Query): Promise<SdkMessage[]> {
  const messages: SdkMessage[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

const results = (messages: readonly SdkMessage[]): unknown[] =>
  messages.filter(({ type }) => type === 'result').map(({ result }) => result);
const userMessage = (content: string): object => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
});

/** Prompts that are sent one by one, each when it is asked for. */
function prompter(): { prompts: AsyncGenerator<object>; send(text: string): void; end(): void } {
  const queue: (object | undefined)[] = [];
  let wake = (): void => {};
  const push = (item: object | undefined): void => {
    queue.push(item);
    wake();
  };
  async function* prompts(): AsyncGenerator<object> {
    for (;;) {
      while (queue.length === 0) {
        await new Promise<void>((next) => {
          wake = next;
        });
      }
      const item = queue.shift();
      if (item === undefined) return;
      yield item;
    }
  }
  return { prompts: prompts(), send: (text) => push(userMessage(text)), end: () => push(undefined) };
}

describe.skipIf(sdk === undefined).each(programs)('the Agent SDK drives $name', ({ executable }) => {
  const { query, tool: sdkTool, createSdkMcpServer } = sdk as AgentSdk;

  it('asks one question', async () => {
    const messages = await collect(query({ prompt: 'hi', options: await options(executable, [[say('hello')]]) }));
    expect(messages.map(({ type, subtype }) => subtype ?? type)).toEqual(['init', 'assistant', 'success']);
    expect(results(messages)).toEqual(['hello']);
  });

  it('speaks in turns, and resumes the session in another process', async () => {
    const { prompts, send, end } = prompter();
    const settings = await options(executable, [[say('user?')], [say('password?')], [say('welcome')]]);
    send('login');
    const seen: unknown[] = [];
    let session = '';
    for await (const message of query({ prompt: prompts, options: settings })) {
      if (message.type !== 'result') continue;
      seen.push(message['result']);
      session = String(message['session_id']);
      if (seen.length === 1) send('bob');
      else end();
    }
    expect(seen).toEqual(['user?', 'password?']);
    const again = await collect(query({ prompt: 'secret', options: { ...settings, resume: session } }));
    expect(results(again)).toEqual(['welcome']);
    expect(again.at(-1)?.['session_id']).toBe(session);
  });

  it('asks canUseTool, which allows one tool and denies the other', async () => {
    const asked: string[] = [];
    const settings = await options(executable, [
      [
        tool('Write', { file_path: 'a.txt', content: 'a' }),
        tool('Write', { file_path: 'b.txt', content: 'b' }),
        say('done'),
      ],
    ]);
    const canUseTool = async (_: string, input: Record<string, unknown>): Promise<object> => {
      const file = String(input['file_path']);
      asked.push(file.split('/').at(-1) ?? '');
      return file.endsWith('a.txt')
        ? { behavior: 'allow', updatedInput: input }
        : { behavior: 'deny', message: 'not b' };
    };
    const messages = await collect(query({ prompt: 'go', options: { ...settings, canUseTool } }));
    expect(asked).toEqual(['a.txt', 'b.txt']);
    const denials = messages.at(-1)?.['permission_denials'] as { tool_name: string }[];
    expect(denials.map(({ tool_name: name }) => name)).toEqual(['Write']);
  });

  it('calls hooks of the host, which may forbid a tool', async () => {
    const fired: string[] = [];
    const hook = (answer: object) => async (input: { hook_event_name: string }) => {
      fired.push(input.hook_event_name);
      return answer;
    };
    const deny = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    };
    const hooks = {
      UserPromptSubmit: [{ hooks: [hook({})] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [hook(deny)] }],
      Stop: [{ hooks: [hook({})] }],
    };
    const messages = await collect(
      query({
        prompt: 'go',
        options: { ...(await options(executable, [[tool('Bash', { command: 'ls' }), say('done')]])), hooks },
      }),
    );
    expect(fired).toEqual(['UserPromptSubmit', 'PreToolUse', 'Stop']);
    const result = messages.find(({ type }) => type === 'user');
    expect(JSON.stringify(result)).toContain('PreToolUse:Bash hook error: no');
  });

  it('goes on when what the host asks or hooks breaks, and blocks where it was told to', async () => {
    const breaks = async (): Promise<never> => {
      throw new Error('it broke');
    };
    const steps = [
      tool('Write', { file_path: 'a.txt', content: 'a' }),
      tool('Bash', { command: 'ls' }),
      tool('Read', { file_path: 'none' }),
      say('done'),
    ];
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', hooks: [breaks], onFailure: 'block' }],
      PostToolUseFailure: [{ hooks: [breaks] }],
      // It hears of no start.
      SessionStart: [{ hooks: [breaks], onFailure: 'block' }],
    };
    const settings = { ...(await options(executable, [steps])), hooks, canUseTool: breaks };
    const messages = await collect(query({ prompt: 'go', options: settings }));
    const told = messages.filter(({ type }) => type === 'user').map((message) => JSON.stringify(message));
    expect(told[0]).toContain('Tool permission request failed: Error: it broke');
    expect(told[1]).toContain('PreToolUse:Bash hook error: [callback]: failed; blocking because onFailure is');
    expect(told).toHaveLength(3);
    const warnings = messages.filter(({ subtype }) => subtype === 'informational').map(({ content }) => content);
    expect(warnings).toEqual([
      expect.stringMatching(/^PreToolUse: Hook callback hook_0 failed: .*counts as a block\.$/),
      expect.stringMatching(/^PostToolUseFailure: Hook callback hook_1 failed: .*treated as empty\.$/),
    ]);
    expect(results(messages)).toEqual(['done']);
  });

  it('interrupts a turn, and goes on with the next', async () => {
    const { prompts, send, end } = prompter();
    send('first');
    const running = query({
      prompt: prompts,
      options: await options(executable, [[{ say: 'slow', delayMs: 20_000 }], [say('after')]]),
    });
    const ended: unknown[] = [];
    for await (const message of running) {
      if (message.subtype === 'init' && ended.length === 0) setTimeout(() => void running.interrupt(), 500);
      if (message.type !== 'result') continue;
      ended.push(message.subtype);
      if (ended.length === 1) send('second');
      else end();
    }
    expect(ended).toEqual(['error_during_execution', 'success']);
  });

  it('changes the model and the mode while it runs, and lists what there is', async () => {
    const { prompts, send, end } = prompter();
    const running = query({
      prompt: prompts,
      options: await options(executable, [[tool('Write', { file_path: 'a.txt', content: 'a' }), say('done')]]),
    });
    expect((await running.supportedCommands()).map(({ name }) => name)).toContain('compact');
    expect((await running.supportedModels()).map(({ value }) => value)).toContain('sonnet');
    expect(await running.mcpServerStatus()).toEqual([]);
    await running.setModel('haiku');
    await running.setPermissionMode('acceptEdits');
    send('go');
    const messages: SdkMessage[] = [];
    for await (const message of running) {
      messages.push(message);
      if (message.type === 'result') end();
    }
    const init = messages.find(({ subtype }) => subtype === 'init');
    expect(init).toMatchObject({ model: 'claude-haiku-5-5', permissionMode: 'acceptEdits' });
    expect(messages.at(-1)?.['permission_denials']).toEqual([]);
  });

  it('gives a server of the host to the agent', async () => {
    const echo = sdkTool('echo', 'says it again', {}, async () => ({
      content: [{ type: 'text', text: 'from the host' }],
    }));
    const server = createSdkMcpServer({ name: 'own', version: '1', tools: [echo] });
    const messages = await collect(
      query({
        prompt: 'go',
        options: {
          ...(await options(executable, [[tool('mcp__own__echo', {}), say('done')]])),
          mcpServers: { own: server },
          allowedTools: ['mcp__own__echo'],
        },
      }),
    );
    expect(JSON.stringify(messages.find(({ type }) => type === 'user'))).toContain('from the host');
  });

  it('gives a server of the host to a session that runs, and turns it off', async () => {
    const { prompts, send, end } = prompter();
    const calls = [tool('mcp__own__echo', {}), say('done')];
    const allowedTools = ['mcp__own__echo'];
    const running = query({
      prompt: prompts,
      options: { ...(await options(executable, [calls, calls])), allowedTools },
    });
    const echo = sdkTool('echo', 'says it again', {}, async () => ({
      content: [{ type: 'text', text: 'from the host' }],
    }));
    const own = createSdkMcpServer({ name: 'own', version: '1', tools: [echo] });
    expect((await running.setMcpServers({ own })).added).toEqual(['own']);
    send('go');
    const told: string[] = [];
    let ended = 0;
    for await (const message of running) {
      if (message.type === 'user') told.push(JSON.stringify(message));
      if (message.type !== 'result') continue;
      if (++ended === 2) end();
      else {
        await running.toggleMcpServer('own', false);
        expect(await running.mcpServerStatus()).toMatchObject([{ name: 'own', status: 'disabled' }]);
        send('again');
      }
    }
    expect(told[0]).toContain('from the host');
    expect(told[1]).toContain('No such tool available: mcp__own__echo');
  });

  it('streams parts of messages', async () => {
    const messages = await collect(
      query({
        prompt: 'hi',
        options: { ...(await options(executable, [[say('hello')]])), includePartialMessages: true },
      }),
    );
    const parts = messages
      .filter(({ type }) => type === 'stream_event')
      .map((message) => (message['event'] as { type: string }).type);
    expect(parts).toContain('content_block_delta');
    expect(parts.at(-1)).toBe('message_stop');
  });
});
