import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { connectOverStdio, errorCode } from '../helpers/mcp-client.js';
import { realAgent } from '../helpers/real-agents.js';

const TIMEOUT = 180_000;
const MARKETPLACE = resolve('examples/marketplace');

it('lists, triggers and logs hooks, and knows what they blocked', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call } = await connectOverStdio();
  const { project_path } = await call<{ project_path: string }>('create_test_project', {
    project_type: 'library',
    language: 'python',
  });
  await call('setup_git_repo', { project_path });
  const file = join(project_path, 'src/parser.py');
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: {
      project: project_path,
      plugins: [join(MARKETPLACE, 'plugins/epti')],
      scenario: {
        responses: [
          {
            pattern: { type: 'any' },
            response: {
              text: 'Tried.',
              tool_calls: [{ tool: 'Write', input: { file_path: file, content: 'x = 1\n' } }],
            },
          },
        ],
      },
    },
  });
  const { response_id } = await call<{ response_id: string }>('send_prompt', { prompt: 'implement it', session_id });
  const answer = await call<{ tools_used: { id: string; status: string }[] }>('get_response', { response_id });
  const [use] = answer.tools_used;
  expect(use).toMatchObject({ status: 'blocked' });
  expect(await call('verify_hook_blocked_action', { action_id: use?.id })).toMatchObject({
    blocked: true,
    hook_name: 'PreToolUse:Write',
  });
  expect(await call('verify_hook_blocked_action', { action_id: response_id })).toMatchObject({ blocked: false });
  const { hooks } = await call<{ hooks: { event: string; told_by: string }[] }>('list_active_hooks', { session_id });
  expect(hooks).toEqual(expect.arrayContaining([expect.objectContaining({ event: 'PreToolUse', told_by: 'cli' })]));
  const fired = await call('trigger_hook', {
    hook_name: 'PreToolUse:Write',
    payload: { tool_input: { file_path: file, content: 'x = 1\n' } },
    session_id,
  });
  expect(fired).toMatchObject({ blocked: true, fired: [{ decision: 'deny' }] });
  const { runs } = await call<{ runs: { blocked: boolean; session_id?: string; stdin: string }[] }>(
    'get_hook_execution_log',
    {
      hook_name: 'PreToolUse',
    },
  );
  expect(runs.filter(({ blocked }) => blocked)).toHaveLength(2);
  expect(runs.filter((run) => run.session_id === undefined)).toHaveLength(1);
  // The CLI's own stream does not tell what a hook got.
  for (const { stdin } of runs) expect(JSON.parse(stdin)).toMatchObject({ hook_event_name: 'PreToolUse' });
});

it('installs, inspects and uninstalls a plugin', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call, ask } = await connectOverStdio();
  await call('install_plugin', { plugin_name: 'promptctl', marketplace_path: MARKETPLACE });
  expect(await call('list_plugins')).toMatchObject({ plugins: [{ name: 'promptctl', enabled: true, errors: [] }] });
  const status = await call<{ status: string; components: { kind: string }[] }>('get_plugin_status', {
    plugin_name: 'promptctl',
  });
  expect(status.status).toBe('loaded');
  expect(status.components.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['command', 'hook']));
  expect(await call('uninstall_plugin', { plugin_name: 'promptctl' })).toMatchObject({ uninstalled: true });
  expect(await call('list_plugins')).toEqual({ plugins: [] });
  expect(errorCode(await ask('get_plugin_status', { plugin_name: 'promptctl' }))).toBe('PLUGIN_NOT_INSTALLED');
});

it('starts, verifies and stops the real server of a plugin', { timeout: TIMEOUT }, async () => {
  const { call, ask } = await connectOverStdio();
  const plugin_root = join(MARKETPLACE, 'plugins/visual-iteration');
  const entry = JSON.parse(readFileSync(join(plugin_root, '.mcp.json'), 'utf8')) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [[server_name, server_config] = []] = Object.entries(entry.mcpServers);
  const started = await call<{ server_id: string; pid: number }>('start_mcp_server', {
    server_name,
    server_config,
    plugin_root,
  });
  expect(isAlive(started.pid)).toBe(true);
  const verified = await call<{ latency_ms: number; tools: { name: string }[] }>('verify_mcp_communication', {
    server_id: started.server_id,
  });
  expect(verified).toMatchObject({ responding: true });
  expect(verified.latency_ms).toBeGreaterThan(0);
  expect(verified.tools.length).toBeGreaterThan(0);
  expect(await call('stop_mcp_server', { server_id: started.server_id })).toMatchObject({
    ...{ status: true, stopped: true, cleaned: true },
  });
  expect(isAlive(started.pid)).toBe(false);
  const gone = await ask('verify_mcp_communication', { server_id: started.server_id });
  expect(errorCode(gone)).toBe('HARNESS_NO_SERVER');
  const broken = await ask('start_mcp_server', {
    server_name: 'broken',
    server_config: { command: process.execPath, args: ['-e', 'console.error("no luck"); process.exit(3)'] },
  });
  expect(errorCode(broken)).toBe('MCP_SERVER_NOT_STARTED');
  expect(broken.text).toContain('no luck');
});

it('mocks a tool of a plugin’s server so that the agent sees it', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call } = await connectOverStdio();
  const plugin = join(MARKETPLACE, 'plugins/visual-iteration');
  const started = await call<{ server_id: string }>('start_mcp_server', {
    server_name: 'probe',
    server_config: (
      JSON.parse(readFileSync(join(plugin, '.mcp.json'), 'utf8')) as { mcpServers: Record<string, unknown> }
    ).mcpServers['browser-tools'],
    plugin_root: plugin,
  });
  const { tools: offered } = await call<{ tools: { name: string }[] }>('verify_mcp_communication', {
    server_id: started.server_id,
  });
  const [first, second] = offered.map(({ name }) => name);
  await call('mock_mcp_tool_response', { tool_name: first, mock_response: { mocked: 'yes indeed' } });
  await call('mock_mcp_tool_response', {
    tool_name: 'invented',
    mock_response: { content: [{ type: 'text', text: 'out of thin air' }] },
    server_name: 'browser-tools',
  });
  const tool = (name: string | undefined) => `mcp__plugin_visual-iteration_browser-tools__${name}`;
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: {
      plugins: [plugin],
      scenario: {
        responses: [
          {
            pattern: { type: 'any' },
            response: {
              text: 'Seen.',
              tool_calls: [first, 'invented', second].map((name) => ({ tool: tool(name), input: {} })),
            },
          },
        ],
      },
    },
  });
  const { response_id } = await call<{ response_id: string }>('send_prompt', { prompt: 'look', session_id });
  const answer = await call<{ tools_used: { tool: string; result: string; status: string }[] }>('get_response', {
    response_id,
  });
  const results = answer.tools_used.map(({ result }) => result);
  expect(results[0]).toContain('yes indeed');
  expect(results[1]).toContain('out of thin air');
  // What is not mocked comes from the real server behind the proxy.
  expect(results[2]).not.toContain('mocked');
});
