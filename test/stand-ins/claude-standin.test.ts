import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Json, standInWorld } from '../helpers/stand-in.js';
import { runUnderstudy } from '../helpers/understudy.js';

const anything = (response: unknown, more: object = {}): object => ({
  responses: [{ pattern: { type: 'any' }, response }],
  ...more,
});
const withTool = (tool: string, input: object, more: object = {}): object =>
  anything({ text: 'done', tool_calls: [{ tool, input, ...more }] });
const results = (events: readonly Json[]): Json[] =>
  events.filter(({ type }) => type === 'user').flatMap(({ message }) => (message as { content: Json[] }).content);

describe('the command line', () => {
  it('takes the prompt from the argument, from stdin, or both', async () => {
    const world = standInWorld({
      responses: [
        { pattern: { type: 'exact', text: 'one\ntwo' }, response: 'both' },
        { pattern: { type: 'any' }, response: 'other' },
      ],
    });
    expect((await world.run(['-p', 'one'], { input: 'two\n' })).stdout).toBe('both\n');
    expect((await world.run(['-p'], { input: 'one\ntwo' })).stdout).toBe('both\n');
    expect((await world.run(['one'])).stdout).toBe('other\n');
  });

  it.each(['--chrome', '--worktree', '--remote-control'])('refuses %s by name instead of ignoring it', async (flag) => {
    const { code, stderr } = await standInWorld(anything('x')).run(['-p', 'x', flag]);
    expect({ code, named: stderr.includes(flag) }).toEqual({ code: 2, named: true });
  });

  it('accepts flags that can change nothing', async () => {
    const { code, stdout } = await standInWorld(anything('x')).run([
      '-p',
      'x',
      '--effort',
      'high',
      '--betas',
      'a',
      '--debug=api',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'x\n' });
  });

  it('says what is missing when there is no scenario', async () => {
    const { code, stderr } = await standInWorld(anything('x')).run(['-p', 'x'], { env: { UNDERSTUDY_SCENARIO: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain('SCENARIO_MISSING');
    expect(stderr).toContain('--scenario');
  });

  it('shows where a scenario is wrong, and sees when it is mended', async () => {
    const world = standInWorld({ responses: [{ pattern: { type: 'any' }, respones: 'x' }] });
    const { code, stderr } = await world.run(['-p', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('respones');
    writeFileSync(join(world.home, 'scenario.json'), JSON.stringify(anything('mended')));
    expect((await world.run(['-p', 'x'])).stdout).toBe('mended\n');
    writeFileSync(join(world.home, 'scenario.json'), JSON.stringify(anything('changed')));
    expect((await world.run(['-p', 'x'])).stdout).toBe('changed\n');
  });

  it('tells the nearest rule when nothing answers, and fails', async () => {
    const world = standInWorld({ responses: [{ pattern: { type: 'exact', text: 'explore' }, response: 'x' }] });
    const { code, stderr } = await world.run(['-p', 'explor']);
    expect(code).toBe(2);
    expect(stderr).toContain('explore');
  });

  it('honours the older name of the scenario variable', async () => {
    const world = standInWorld(anything('x'));
    const { UNDERSTUDY_SCENARIO: scenario = '' } = world.env;
    expect(
      (await world.run(['-p', 'x'], { env: { UNDERSTUDY_SCENARIO: '', CLAUDELESS_SCENARIO: scenario } })).stdout,
    ).toBe('x\n');
    expect(
      (await world.run(['-p', 'x', '--scenario', scenario], { env: { UNDERSTUDY_SCENARIO: '/nope' } })).stdout,
    ).toBe('x\n');
  });

  it('is there as `understudy claude` too', async () => {
    const world = standInWorld(anything('x'));
    const run = await runUnderstudy(['claude', '-p', 'hi', '--output-format', 'json'], {
      cwd: world.cwd,
      env: world.env,
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ type: 'result', result: 'x' });
  });
});

describe('what is printed', () => {
  it('is one document as json, tools or not', async () => {
    const { stdout } = await standInWorld(withTool('Bash', { command: 'ls' }, { result: 'a' })).run([
      '-p',
      'x',
      '--output-format',
      'json',
    ]);
    const document = JSON.parse(stdout) as Json;
    expect(document).toMatchObject({ type: 'result', result: 'done', num_turns: 2 });
    expect(document).toHaveProperty('total_cost_usd');
    expect(document).not.toHaveProperty('cost_usd');
  });

  it('has tool results as user lines before the result, and a full first line', async () => {
    const events = await standInWorld(withTool('Bash', { command: 'ls' }, { result: 'a' })).stream(['x']);
    expect(events.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    for (const field of [
      'agents',
      'apiKeySource',
      'claude_code_version',
      'cwd',
      'output_style',
      'permissionMode',
      'plugins',
      'skills',
      'slash_commands',
    ]) {
      expect(events[0]).toHaveProperty(field);
    }
  });

  it('adds up the usage that the scenario gives', async () => {
    const { stdout } = await standInWorld(
      anything({ text: 'x', usage: { input_tokens: 1000, output_tokens: 100 } }),
    ).run(['-p', 'x', '--output-format', 'json', '--model', 'sonnet']);
    expect(JSON.parse(stdout)).toMatchObject({
      usage: { input_tokens: 1000, output_tokens: 100 },
      modelUsage: { 'claude-sonnet-5-5': { inputTokens: 1000 } },
      total_cost_usd: 0.003,
    });
  });
});

describe('tools', () => {
  it('are mocked with the result of the call, of the tool, or, where the scenario says so, with nothing', async () => {
    const call = {
      text: 'done',
      tool_calls: [
        { tool: 'Read', input: { file_path: 'a' }, result: 'own' },
        { tool: 'Read', input: { file_path: 'b' } },
        { tool: 'Bash', input: { command: 'x' } },
        { tool: 'Bash', input: { command: 'y' }, error: 'broken' },
      ],
    };
    const events = await standInWorld(
      anything(call, { tool_execution: { mode: 'mock', tools: { Read: { result: 'general' } } } }),
    ).stream(['x']);
    expect(results(events).map(({ content, is_error: wrong }) => [content, wrong === true])).toEqual([
      ['own', false],
      ['general', false],
      ['(Bash completed with no output)', false],
      ['broken', true],
    ]);
  });

  it('really run where the scenario says live', async () => {
    const world = standInWorld({
      ...withTool('Write', { file_path: 'out.txt', content: 'hello' }),
      tool_execution: { mode: 'live' },
    });
    const denied = await world.stream(['x']);
    expect(existsSync(join(world.cwd, 'out.txt'))).toBe(false);
    expect(denied.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'Write' }] });
    await world.run(['-p', 'x', '--allowedTools', 'Write']);
    expect(readFileSync(join(world.cwd, 'out.txt'), 'utf8')).toBe('hello');
  });

  it('are answered in what the agent says next', async () => {
    const response = {
      tool_calls: [{ tool: 'Bash', input: { command: 'cat a.txt' } }],
      then: [{ expect: { type: 'contains', text: 'needle' }, response: 'found' }, { response: 'not found' }],
    };
    const scenario = anything(response, { tool_execution: { mode: 'live' } });
    expect((await standInWorld(scenario, { 'a.txt': 'a needle' }).run(['-p', 'x'])).stdout).toBe('found\n');
    expect((await standInWorld(scenario, { 'a.txt': 'hay' }).run(['-p', 'x'])).stdout).toBe('not found\n');
  });

  it('of a denying rule are refused even when mocked', async () => {
    const events = await standInWorld(withTool('Bash', { command: 'git push' }, { result: 'pushed' }), {
      '.claude/settings.json': { permissions: { deny: ['Bash(git push *)'] } },
    }).stream(['x']);
    expect(events.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
  });

  it('start subagents, which are addressed by name and have their own hooks', async () => {
    const scenario = {
      responses: [
        { pattern: { type: 'any' }, when: { agent: 'reviewer' }, response: 'the review' },
        {
          pattern: { type: 'any' },
          response: {
            tool_calls: [
              {
                tool: 'Task',
                input: {
                  description: 'r',
                  prompt: 'review it',
                  subagent_type: 'reviewer',
                  run_in_background: false,
                },
              },
            ],
            then: [{ expect: { type: 'contains', text: 'the review' }, response: 'reviewed' }],
          },
        },
      ],
    };
    const hooks = {
      SubagentStop: [{ matcher: 'reviewer', hooks: [{ type: 'command', command: 'cat > $HOME/subagent.json' }] }],
    };
    const world = standInWorld(scenario, { 'HOME/.claude/settings.json': { hooks } });
    const events = await world.stream(['x', '--agents', '{"reviewer":{"description":"d","prompt":"p"}}']);
    expect(events.at(-1)).toMatchObject({ result: 'reviewed' });
    expect(JSON.parse(readFileSync(join(world.home, 'subagent.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'SubagentStop',
      agent_type: 'reviewer',
      last_assistant_message: 'the review',
    });
  });

  it('start subagents in the background, of which the agent hears when its turn is over', async () => {
    const call = (description: string) => ({
      tool: 'Agent',
      input: { description, prompt: `look at ${description}`, subagent_type: 'Explore' },
    });
    const scenario = {
      responses: [
        { pattern: { type: 'contains', text: 'look at' }, response: 'seen' },
        { pattern: { type: 'any' }, response: { tool_calls: [call('one'), call('two')], then: 'waiting' } },
      ],
    };
    const events = await standInWorld(scenario).stream(['x']);
    const results = events.filter(({ type }) => type === 'result');
    expect(results.map(({ result }) => result)).toEqual(['waiting', '', 'Noted.']);
    expect(results.map((result) => (result['origin'] as { kind: string } | undefined)?.kind)).toEqual([
      undefined,
      'task-notification',
      'task-notification',
    ]);
    const running = events.filter(({ subtype }) => subtype === 'background_tasks_changed');
    expect(
      running.map(({ tasks }) => (tasks as { description: string }[]).map(({ description }) => description)),
    ).toEqual([['one'], ['one', 'two'], ['two'], []]);
  });

  it('start subagents in the background, of which the agent hears even when a hook ends its turn', async () => {
    const look = { tool: 'Agent', input: { description: 'look', prompt: 'look at it', subagent_type: 'Explore' } };
    const read = { tool: 'Read', input: { file_path: 'a.txt' } };
    const scenario = {
      responses: [
        { pattern: { type: 'contains', text: 'look at' }, response: 'seen' },
        {
          pattern: { type: 'any' },
          response: { tool_calls: [look], then: { text: 'reading', tool_calls: [read], then: 'never said' } },
        },
      ],
    };
    const stop = `echo '{"continue": false, "stopReason": "enough"}'`;
    const hooks = { PostToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: stop }] }] };
    const files = { 'a.txt': 'a', 'HOME/.claude/settings.json': { hooks } };
    const events = await standInWorld(scenario, files).stream(['x']);
    const results = events.filter(({ type }) => type === 'result');
    expect(results.map(({ terminal_reason: reason }) => reason)).toEqual(['hook_stopped', 'completed']);
  });

  it('start subagents that work under the orders of their plugin or of the command line', async () => {
    const ask = (agent: string): object => ({
      tool: 'Agent',
      input: { description: 'r', prompt: 'review it', subagent_type: agent, run_in_background: false },
    });
    const scenario = {
      responses: [
        { pattern: { type: 'contains', text: 'review it' }, when: { system: 'You review.' }, response: 'by the file' },
        { pattern: { type: 'contains', text: 'review it' }, when: { system: 'You judge.' }, response: 'by the flag' },
        { pattern: { type: 'any' }, response: { text: 'done', tool_calls: [ask('demo:rev'), ask('judge')] } },
      ],
    };
    const world = standInWorld(scenario, {
      'plug/.claude-plugin/plugin.json': { name: 'demo' },
      'plug/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\nYou review.\n',
    });
    const agents = JSON.stringify({ judge: { description: 'd', prompt: 'You judge.' } });
    const events = await world.stream(['x', '--plugin-dir', 'plug', '--agents', agents]);
    const said = events.flatMap(({ tool_use_result: result }) => (result as Json | undefined)?.['content'] ?? []);
    expect(said).toMatchObject([{ text: 'by the file' }, { text: 'by the flag' }]);
  });

  it.each(['mock', 'live'])(
    'are called as Claude Code calls them when the script names them generically (%s)',
    async (mode) => {
      const scenario = {
        tool_execution: { mode, tools: { shell: { auto_approve: true } } },
        responses: [
          {
            pattern: { type: 'any' },
            response: {
              text: 'done',
              tool_calls: [
                { tool: 'shell', input: { command: 'cat a.txt' } },
                { tool: 'edit', input: { path: 'a.txt', old: 'one', new: 'two' } },
              ],
            },
          },
        ],
      };
      const world = standInWorld(scenario, { 'a.txt': 'one' });
      const events = await world.stream(['x', '--permission-mode', 'acceptEdits', '--allowedTools', 'Read']);
      const calls = events.flatMap(({ type, message }) =>
        type === 'assistant'
          ? ((message as Json)['content'] as Json[]).filter((block) => block['type'] === 'tool_use')
          : [],
      );
      expect(calls).toMatchObject([
        { name: 'Bash', input: { command: 'cat a.txt' } },
        { name: 'Edit', input: { file_path: join(world.cwd, 'a.txt'), old_string: 'one', new_string: 'two' } },
      ]);
      expect(events.at(-1)).toMatchObject({ result: 'done', permission_denials: [] });
      expect(readFileSync(join(world.cwd, 'a.txt'), 'utf8')).toBe(mode === 'live' ? 'two' : 'one');
    },
  );
});

describe('failures', () => {
  it.each([
    ['auth_error', 'authentication_error', 401],
    ['rate_limit', 'rate_limit_error', 429],
    ['overloaded', 'overloaded_error', 529],
  ])('%s comes as a result with an error, in every format', async (failure, type, status) => {
    const world = standInWorld(anything('x'), {});
    const env = { UNDERSTUDY_FAILURE: failure, CLAUDE_CODE_MAX_RETRIES: '0' };
    const events = await world.stream(['x'], { env });
    expect(events.at(-1)).toMatchObject({
      type: 'result',
      is_error: true,
      api_error_status: status,
      api_error_type: type,
    });
    const text = await world.run(['-p', 'x', '--failure', failure], { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 1, stderr: '' });
    expect(text.stdout.trim()).toBe(events.at(-1)?.['result']);
  });

  it('are tried again as often as the real CLI would', async () => {
    const world = standInWorld({
      responses: [{ pattern: { type: 'any' }, failure: { type: 'server_error', times: 2 }, response: 'fine' }],
    });
    const events = await world.stream(['x']);
    expect(events.map(({ subtype, attempt }) => attempt ?? subtype)).toEqual(['init', 1, 2, undefined, 'success']);
    expect(events.at(-1)).toMatchObject({ result: 'fine' });
  });

  it('name what there is when they are not known', async () => {
    const { code, stderr } = await standInWorld(anything('x')).run(['-p', 'x', '--failure', 'nonsense']);
    expect(code).toBe(2);
    expect(stderr).toContain('rate_limit');
  });

  it('turn to the fallback model when the first is overloaded', async () => {
    const world = standInWorld({
      responses: [
        {
          pattern: { type: 'any' },
          when: { model: { type: 'contains', text: 'opus' } },
          failure: { type: 'overloaded' },
        },
        { pattern: { type: 'any' }, response: 'from the other' },
      ],
    });
    const events = await world.stream(['x', '--fallback-model', 'sonnet']);
    expect(events.map(({ subtype }) => subtype)).toContain('model_fallback');
    expect(events.at(-1)).toMatchObject({ result: 'from the other' });
  });

  it('tell a user who has not logged in', async () => {
    expect(await standInWorld(anything('x', { logged_in: false })).run(['-p', 'x'])).toMatchObject({
      code: 1,
      stdout: 'Not logged in · Please run /login\n',
    });
  });
});

describe('the request log', () => {
  it('tells for each prompt what answered it and how it ended', async () => {
    const world = standInWorld({
      responses: [
        {
          pattern: { type: 'contains', text: 'go' },
          response: 'one',
          turns: [
            {
              expect: { type: 'any' },
              response: { text: 'two', tool_calls: [{ tool: 'Bash', input: { command: 'ls' }, result: 'a' }] },
            },
          ],
        },
      ],
    });
    const log = join(world.root, 'log.jsonl');
    const env = { UNDERSTUDY_LOG: log };
    await world.run(['-p', 'go'], { env });
    await world.run(['-p', 'on', '--continue'], { env });
    await world.run(['-p', 'nothing'], { env });
    const entries = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(entries).toMatchObject([
      { prompt: 'go', argv: ['-p', 'go'], matched: ['responses[0]'], outcome: 'success', result: 'one' },
      { prompt: 'on', outcome: 'success', result: 'two', tools: [{ name: 'Bash', how: 'mock' }] },
      { prompt: 'nothing', matched: [], outcome: 'unanswered' },
    ]);
    expect(JSON.stringify(entries[1]?.['matched'])).toContain('turns[0]');
  });
});
