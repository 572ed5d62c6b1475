import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { type Json, STAND_IN, type StandInWorld, standInWorld } from '../helpers/stand-in.js';

const LOG = { type: 'command', command: 'cat >> "$HOME/hooks.jsonl"; echo >> "$HOME/hooks.jsonl"' };
const always = (event: string, command: string, more: object = {}): object => ({
  hooks: { [event]: [{ hooks: [{ type: 'command', command, ...more }] }] },
});
const bash = (command: string, more: object = {}): object => ({
  responses: [
    {
      pattern: { type: 'any' },
      response: { text: 'done', tool_calls: [{ tool: 'Bash', input: { command }, result: 'ran', ...more }] },
    },
  ],
});

function hookInputs(world: StandInWorld): Json[] {
  return readFileSync(join(world.home, 'hooks.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}

const user = (content: string): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

describe('hooks', () => {
  it('are given what the real CLI gives them, in its order', async () => {
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
    const world = standInWorld(bash('ls'), {
      '.claude/settings.json': { hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [LOG] }]])) },
    });
    await world.run(['-p', 'go']);
    const inputs = hookInputs(world);
    expect(inputs.map(({ hook_event_name: name }) => name)).toEqual(events);
    for (const input of inputs)
      expect(input).toMatchObject({
        cwd: world.cwd,
        session_id: expect.any(String),
        transcript_path: expect.stringContaining('.jsonl'),
      });
    expect(inputs[0]).toMatchObject({ source: 'startup' });
    expect(inputs[1]).toMatchObject({ prompt: 'go', permission_mode: 'default' });
    expect(inputs[3]).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: 'ran' },
    });
    expect(inputs[4]).toMatchObject({ stop_hook_active: false, last_assistant_message: 'done' });
  });

  it('run from user, project, local and flag settings, and from plugins', async () => {
    const say = (name: string): object => always('UserPromptSubmit', `echo ${name} >> "$HOME/said"`);
    const world = standInWorld(bash('ls'), {
      'HOME/.claude/settings.json': say('user'),
      '.claude/settings.json': say('project'),
      '.claude/settings.local.json': say('local'),
      'plug/.claude-plugin/plugin.json': { name: 'demo' },
      'plug/hooks/hooks.json': always(
        'UserPromptSubmit',
        'echo ${CLAUDE_PLUGIN_ROOT} $CLAUDE_PROJECT_DIR >> "$HOME/said"',
      ),
    });
    await world.run(['-p', 'go', '--settings', JSON.stringify(say('flag')), '--plugin-dir', 'plug']);
    const said = readFileSync(join(world.home, 'said'), 'utf8').trim().split('\n').sort();
    expect(said).toEqual([`${world.cwd}/plug ${world.cwd}`, 'flag', 'local', 'project', 'user'].sort());
  });

  it('end after their seconds, and do not block then', async () => {
    const world = standInWorld(bash('ls'), {
      '.claude/settings.json': always('PreToolUse', 'sleep 60; exit 2', { timeout: 1 }),
    });
    const started = Date.now();
    expect((await world.stream(['go'])).at(-1)).toMatchObject({ result: 'done', permission_denials: [] });
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  it('fire before and after a conversation is compacted', async () => {
    const world = standInWorld(
      { default_response: 'x' },
      {
        '.claude/settings.json': {
          hooks: { PreCompact: [{ matcher: 'manual', hooks: [LOG] }], PostCompact: [{ hooks: [LOG] }] },
        },
      },
    );
    const events = await world.stream(['--input-format', 'stream-json'], {
      input: user('hi') + user('/compact keep names'),
    });
    expect(hookInputs(world)).toMatchObject([
      { trigger: 'manual', custom_instructions: 'keep names' },
      { hook_event_name: 'PostCompact' },
    ]);
    expect(events.map(({ subtype }) => subtype)).toContain('compact_boundary');
  });

  it('can forbid that a conversation is compacted', async () => {
    const world = standInWorld(
      { default_response: 'x' },
      { '.claude/settings.json': always('PreCompact', 'echo no >&2; exit 2') },
    );
    const events = await world.stream(['--input-format', 'stream-json'], { input: user('hi') + user('/compact') });
    expect(events.map(({ subtype }) => subtype)).not.toContain('compact_boundary');
  });

  it('that can never fire are named', async () => {
    const { stderr } = await standInWorld(bash('ls'), {
      '.claude/settings.json': always('WorktreeCreate', 'true'),
    }).run(['-p', 'go']);
    expect(stderr).toContain('WorktreeCreate');
  });
});

describe('slash commands', () => {
  const scenario = {
    responses: [
      { pattern: { type: 'command', name: 'demo:explore' }, response: 'as a command' },
      { pattern: { type: 'contains', text: 'Investigate' }, response: 'as a text' },
      { pattern: { type: 'any' }, response: 'nothing' },
    ],
  };
  const files = {
    'plug/.claude-plugin/plugin.json': { name: 'demo' },
    'plug/commands/explore.md': '---\ndescription: d\n---\nInvestigate $ARGUMENTS.',
    'plug/commands/other.md': 'Investigate too',
    '.claude/commands/mine.md': 'Investigate $1 first',
  };

  it('of plugins and projects expand, and others go to the model as they are', async () => {
    const world = standInWorld(scenario, files);
    const ask = async (prompt: string): Promise<string> =>
      (await world.run(['-p', prompt, '--plugin-dir', 'plug'])).stdout.trim();
    expect(await ask('/demo:explore the db')).toBe('as a command');
    expect(await ask('/demo:other')).toBe('as a text');
    expect(await ask('/mine a b')).toBe('as a text');
    expect(await ask('/explore the db')).toBe('nothing');
    expect(await ask('/nosuch')).toBe('nothing');
  });

  it('are off with --disable-slash-commands', async () => {
    const world = standInWorld(scenario, files);
    expect((await world.run(['-p', '/demo:other', '--plugin-dir', 'plug', '--disable-slash-commands'])).stdout).toBe(
      'nothing\n',
    );
  });
});

describe('MCP servers', () => {
  const call = {
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'done', tool_calls: [{ tool: 'mcp__web__add', input: { a: 1 } }] },
      },
    ],
  };

  it('are reached over HTTP', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        id?: number;
        method: string;
        params: { protocolVersion: string };
      };
      seen.push(request.headers['x-key'] as string | undefined);
      if (id === undefined) return response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'web', version: '1' },
        },
        'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'two' }] },
      };
      const answer = results[method];
      const body = answer === undefined ? { error: { code: -32601, message: 'no' } } : { result: answer };
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const config = {
      mcpServers: {
        web: {
          type: 'http',
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
          headers: { 'x-key': '${KEY}' },
        },
      },
    };
    const events = await standInWorld(call).stream(
      ['go', '--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__web'],
      { env: { KEY: 'secret' } },
    );
    expect(events[0]).toMatchObject({ mcp_servers: [{ name: 'web', status: 'connected' }] });
    expect(JSON.stringify(events.find(({ type }) => type === 'user'))).toContain('two');
    expect(seen).toContain('secret');
  });

  it('that are dead do not stop the session', async () => {
    const config = { mcpServers: { web: { command: '/bin/false' } } };
    const events = await standInWorld({ default_response: 'x' }).stream(['go', '--mcp-config', JSON.stringify(config)]);
    expect(events[0]).toMatchObject({ mcp_servers: [{ name: 'web', status: 'failed' }] });
    expect(events.at(-1)).toMatchObject({ result: 'x' });
  });
});

it.each(['ends', 'is told to end'])('leaves nothing running that a tool has started when it %s', async (how) => {
  const world = standInWorld({
    ...bash('tail -f /dev/null & echo $! > pid', { result: undefined }),
    tool_execution: { mode: 'live' },
    timeouts: { response_delay_ms: how === 'ends' ? 0 : 300 },
  });
  const child = spawn(process.execPath, [STAND_IN, '-p', 'go', '--permission-mode', 'bypassPermissions'], {
    cwd: world.cwd,
    env: { PATH: process.env['PATH'], ...world.env },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const pid = () => (existsSync(join(world.cwd, 'pid')) ? Number(readFileSync(join(world.cwd, 'pid'), 'utf8')) : 0);
  if (how !== 'ends') {
    await expect.poll(pid).toBeGreaterThan(0);
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(how === 'ends' ? 0 : 143);
  expect(pid()).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid())).toBe(false);
});
