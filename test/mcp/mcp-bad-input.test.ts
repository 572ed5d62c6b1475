import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { makeToolList } from '../../src/mcp/tool-list.js';
import { connectOverStdio, errorCode, type TestClient } from '../helpers/mcp-client.js';

const NOBODY = 'session_nobody';

/** For each tool: arguments that it cannot take, and the code that says so. */
const WRONG: Record<string, [args: Record<string, unknown>, code: string][]> = {
  create_test_project: [
    [{ project_type: 'spaceship', language: 'python' }, 'MCP_BAD_INPUT'],
    [{ project_type: 'cli', language: 'python', output_path: '/usr/understudy-test' }, 'HARNESS_PATH_OUTSIDE'],
    [{ project_type: 'cli', language: 'python', output_path: '../../../../../../etc/x' }, 'HARNESS_PATH_OUTSIDE'],
    [{ project_type: 'cli', language: 'python', project_name: '"; rm -rf /' }, 'WORKSPACE_BAD_NAME'],
  ],
  setup_git_repo: [
    [{ project_path: 7 }, 'MCP_BAD_INPUT'],
    [{ project_path: '/etc' }, 'HARNESS_PATH_OUTSIDE'],
    [{ project_path: 'never-made' }, 'FOLDER_NOT_FOUND'],
  ],
  create_sample_files: [
    [{ project_path: '/etc', file_specs: [{ path: 'x', content: '' }] }, 'HARNESS_PATH_OUTSIDE'],
    [{ project_path: 'x', file_specs: 'y' }, 'MCP_BAD_INPUT'],
    [{ project_path: 'x', file_specs: [] }, 'MCP_BAD_INPUT'],
  ],
  reset_test_environment: [[{ everything: true }, 'MCP_BAD_INPUT']],
  capture_test_artifacts: [
    [{ test_name: 'x', artifact_types: ['everything'] }, 'MCP_BAD_INPUT'],
    [{ test_name: 'x' }, 'HARNESS_NOTHING_TO_CAPTURE'],
    [{ test_name: 'x', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
  ],
  assert_contains_keywords: [
    [{ text: 'a', keywords: 'a' }, 'MCP_BAD_INPUT'],
    [{ text: 'a', keywords: [] }, 'CHECK_NO_KEYWORDS'],
  ],
  assert_workflow_transition: [
    [{ from_stage: 'a' }, 'MCP_BAD_INPUT'],
    [{ from_stage: 'idle', to_stage: 'codng', actual_stage: 'x', workflow: 'agent-loop' }, 'WORKFLOW_STAGE_UNKNOWN'],
    [{ from_stage: 'a', to_stage: 'b', actual_stage: 'b', workflow: 'agent-lop' }, 'WORKFLOW_UNKNOWN'],
    [{ from_stage: 'a', to_stage: 'b', actual_stage: 'b', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
  ],
  assert_command_suggested: [
    [{ response: ['x'], command_name: '/plan' }, 'MCP_BAD_INPUT'],
    [{ response: 'x', command_name: '/plan now' }, 'COMMAND_INVALID'],
  ],
  assert_error_handled_gracefully: [[{ response: null }, 'MCP_BAD_INPUT']],
  start_mcp_server: [
    [{ server_name: 'x', server_config: { program: 'x' } }, 'MCP_BAD_INPUT'],
    [{ server_name: 'x', server_config: { command: '/no/such/program' } }, 'PROCESS_NOT_STARTED'],
    [{ server_name: 'x', server_config: { command: 'true' }, plugin_root: '/no/such/folder' }, 'FOLDER_NOT_FOUND'],
  ],
  stop_mcp_server: [[{ server_id: 'mcp_nobody' }, 'HARNESS_NO_SERVER']],
  verify_mcp_communication: [[{ server_id: 'mcp_nobody' }, 'HARNESS_NO_SERVER']],
  mock_mcp_tool_response: [
    [{ tool_name: 'x', mock_response: 'text' }, 'MCP_BAD_INPUT'],
    [{ tool_name: 'x', mock_response: {}, replace: true }, 'MCP_MOCK_WHICH_SERVER'],
  ],
  install_plugin: [
    [{ plugin_name: '' }, 'MCP_BAD_INPUT'],
    [{ plugin_name: 'x', marketplace_path: '/no/such/folder' }, 'FOLDER_NOT_FOUND'],
    [{ plugin_name: 'x', marketplace_path: 'examples/marketplace' }, 'PLUGIN_NOT_OFFERED'],
    [{ plugin_name: 'x' }, 'PLUGIN_NOT_OFFERED'],
  ],
  uninstall_plugin: [[{ plugin_name: 'never-installed' }, 'PLUGIN_NOT_INSTALLED']],
  list_plugins: [[{ of: 'somebody' }, 'MCP_BAD_INPUT']],
  get_plugin_status: [[{ plugin_name: 'never-installed' }, 'PLUGIN_NOT_INSTALLED']],
  execute_command: [
    [{ command: '; rm -rf x', session_id: NOBODY }, 'MCP_BAD_INPUT'],
    [{ command: '/write-tests for calculator', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
    [{ command: '/explore', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
  ],
  get_command_output: [[{ command_id: 'response_nobody' }, 'HARNESS_NO_RESPONSE']],
  list_available_commands: [
    [{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
    [{}, 'HARNESS_WHICH_CONVERSATION'],
  ],
  verify_command_expansion: [
    [{ command: '/x', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
    [{ command: '' }, 'MCP_BAD_INPUT'],
  ],
  send_prompt: [
    [{ prompt: 'x', session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
    [{ prompt: '', session_id: NOBODY }, 'MCP_BAD_INPUT'],
  ],
  get_response: [
    [{ response_id: 'response_nobody' }, 'HARNESS_NO_RESPONSE'],
    [{ response_id: 'x', timeout_ms: -1 }, 'MCP_BAD_INPUT'],
  ],
  get_conversation_history: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  start_conversation: [
    [{ config: { stage: 'broadway' } }, 'MCP_BAD_INPUT'],
    [{ config: {} }, 'SCENARIO_MISSING'],
    [{ config: { stage: 'live' } }, 'HARNESS_NO_LIVE'],
    [{ config: { scenario: { responses: [{ patern: 'x' }] } } }, 'SCENARIO_INVALID'],
    [{ config: { scenario: {}, project: '/etc' } }, 'HARNESS_PATH_OUTSIDE'],
    [{ config: { scenario: {}, workflow: 'agent-lop' } }, 'WORKFLOW_UNKNOWN'],
    [{ config: { scenario: {}, plugins: ['/no/such/plugin'] } }, 'FOLDER_NOT_FOUND'],
    [{ config: { scenario: {}, agent: 'clod' } }, 'AGENT_UNKNOWN'],
  ],
  end_conversation: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  get_agent_mode: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  get_agent_guidance: [
    [{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION'],
    [{ session_id: NOBODY, source: 'rumour' }, 'MCP_BAD_INPUT'],
  ],
  get_workflow_stage: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  verify_agent_transition: [[{ session_id: NOBODY, expected_stage: 'x' }, 'HARNESS_NO_CONVERSATION']],
  list_active_hooks: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  trigger_hook: [
    [{ hook_name: 'PreToolUse', plugin: 'nobody' }, 'HARNESS_NO_HOOKS'],
    [{ hook_name: 'PreToolUs', plugin: 'examples/marketplace/plugins/epti' }, 'HOOK_EVENT_UNKNOWN'],
    [{ hook_name: 'PreToolUse', payload: [] }, 'MCP_BAD_INPUT'],
  ],
  get_hook_execution_log: [[{ session_id: NOBODY }, 'HARNESS_NO_CONVERSATION']],
  inspect_plugin: [
    [{ path: 7 }, 'MCP_BAD_INPUT'],
    [{ path: '/no/such/plugin' }, 'FOLDER_NOT_FOUND'],
  ],
  write_rehearsal: [
    [{ path: 'a.toml', text: 'x' }, 'MCP_BAD_INPUT'],
    [{ path: '/etc/a.rehearsal.toml', text: 'x' }, 'HARNESS_PATH_OUTSIDE'],
  ],
  run_rehearsal: [
    [{ path: '/no/such/file' }, 'FILE_NOT_FOUND'],
    [{ path: '/no/such/file', stage: 'live' }, 'HARNESS_NO_LIVE'],
    [{ path: 'examples/shell-out/commit-message.toml' }, 'SCENARIO_INVALID'],
  ],
  check_document: [[{ path: '/no/such/file' }, 'FILE_NOT_FOUND']],
  verify_hook_blocked_action: [[{ action_id: 'toolu_nobody' }, 'HARNESS_NO_ACTION']],
};

it('has wrong arguments for every tool', async () => {
  expect(Object.keys(WRONG).sort()).toEqual(
    Object.values(await makeToolList())
      .flat()
      .map(({ name }) => name)
      .sort(),
  );
});

it('answers wrong arguments with a code and a fix, and goes on', { timeout: 120_000 }, async () => {
  const test = await connectOverStdio();
  for (const [tool, cases] of Object.entries(WRONG)) {
    for (const [args, code] of cases) await expectError(test, tool, args, code);
    const unknown = { ...cases[0]?.[0], no_such_parameter: 1 };
    await expectError(test, tool, unknown, 'MCP_BAD_INPUT');
  }
  expect(await test.call('assert_contains_keywords', { text: 'still here', keywords: ['here'] })).toMatchObject({
    passed: true,
  });
});

it.each(['constructor', '__proto__', 'toString'])('has no fault of its own when every text is %s', async (name) => {
  const { client, ask } = await connectOverStdio();
  for (const { name: tool, inputSchema } of (await client.listTools()).tools) {
    for (const all of [true, false]) {
      const answer = await ask(tool, filled(inputSchema, name, all) as Record<string, unknown>);
      expect(errorCode(answer), `${tool}: ${answer.text}`).not.toBe('INTERNAL');
    }
  }
});

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

/** A value that fits a schema, with one word for every text; with all fields, or those alone that are required. */
function filled(given: unknown, word: string, all: boolean): unknown {
  const schema = given as Schema;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return filled(schema.anyOf[0], word, all);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => all || schema.required?.includes(key))
          .map(([key, value]) => [key, filled(value, word, all)]),
      );
    case 'array':
      return [filled(schema.items ?? {}, word, all)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return word;
  }
}

it('refuses a message of more than 10 MB by name, and goes on', { timeout: 120_000 }, async () => {
  const { client, call } = await connectOverStdio();
  const keywords = ['here'];
  const long = client.callTool({
    name: 'assert_contains_keywords',
    arguments: { text: 'x'.repeat(11_000_000), keywords },
  });
  await expect(long).rejects.toThrow('MCP_MESSAGE_TOO_LONG: a message has more than 10 MB');
  expect(await call('assert_contains_keywords', { text: `${'x'.repeat(9_000_000)} here`, keywords })).toMatchObject({
    passed: true,
  });
});

it('loses nothing when a tool is called wrongly in a living session', { timeout: 120_000 }, async () => {
  const test = await connectOverStdio();
  const { call } = test;
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: { stage: 'sim', scenario: { default_response: 'Hello.' } },
  });
  await expectError(test, 'get_workflow_stage', { session_id }, 'WORKFLOW_MISSING');
  await expectError(test, 'verify_agent_transition', { session_id, expected_stage: 'x' }, 'WORKFLOW_MISSING');
  await expectError(test, 'get_agent_guidance', { session_id }, 'HARNESS_NO_WIRE');
  await expectError(test, 'send_prompt', { session_id, prompt: 5 }, 'MCP_BAD_INPUT');
  const { response_id } = await call<{ response_id: string }>('send_prompt', { session_id, prompt: 'hi' });
  expect(await call('get_response', { response_id })).toMatchObject({ status: 'completed', response: 'Hello.' });

  expect(await call('end_conversation', { session_id })).toMatchObject({ ended: true });
  await expectError(test, 'send_prompt', { session_id, prompt: 'hi' }, 'CONVERSATION_ENDED');
  await expectError(test, 'execute_command', { session_id, command: '/x' }, 'CONVERSATION_ENDED');
  expect(await call('end_conversation', { session_id })).toMatchObject({ ended: false });
  expect(await call('get_conversation_history', { session_id })).toMatchObject({ turns: 1, ended: 'end_conversation' });
});

it('writes nothing outside of a project, not through links either', { timeout: 60_000 }, async () => {
  const scratch = createScratch('outside');
  onTestFinished(() => scratch.remove());
  const root = join(scratch.path, 'root');
  const secret = join(scratch.path, 'secret');
  mkdirSync(root);
  mkdirSync(secret);
  symlinkSync(secret, join(root, 'link'));
  const test = await connectOverStdio({ args: ['--root', root] });
  const { project_path } = await test.call<{ project_path: string }>('create_test_project', {
    project_type: 'cli',
    language: 'go',
    output_path: join(root, 'a/b'),
  });
  symlinkSync(secret, join(project_path, 'leak'));
  for (const path of ['../x', '/etc/x', 'leak/x', '.git/hooks/pre-commit', 'a\0b', '']) {
    const args = { project_path, file_specs: [{ path, content: 'x' }] };
    await expectError(test, 'create_sample_files', args, 'WORKSPACE_PATH_REFUSED');
  }
  const spec = { project_type: 'cli', language: 'go' };
  await expectError(
    test,
    'create_test_project',
    { ...spec, output_path: join(root, 'link/x') },
    'HARNESS_PATH_OUTSIDE',
  );
  await expectError(test, 'create_test_project', { ...spec, output_path: secret }, 'HARNESS_PATH_OUTSIDE');
  await expectError(test, 'create_test_project', { ...spec, output_path: project_path }, 'WORKSPACE_NOT_EMPTY');
  const artifact = 'understudy://artifacts/..%2f..%2f/etc/passwd';
  await expect(test.client.readResource({ uri: artifact })).rejects.toThrow();
  // What the user named stays, after a reset and after the client has left.
  expect(await test.call('reset_test_environment')).toMatchObject({ kept: [{ path: project_path }] });
  await test.call('create_test_project', { ...spec, output_path: join(root, 'c') });
  await test.client.close();
  expect(readdirSync(secret)).toEqual([]);
  for (const folder of ['a/b', 'c']) expect(readdirSync(join(root, folder))).toContain('go.mod');
  expect(existsSync(join(root, 'link'))).toBe(true);
});

async function expectError(
  { ask }: TestClient,
  tool: string,
  args: Record<string, unknown>,
  code: string,
): Promise<void> {
  const answer = await ask(tool, args);
  const what = `${tool} ${JSON.stringify(args)}: ${answer.text}`;
  expect(errorCode(answer), what).toBe(code);
  expect((answer.data['error'] as { fix?: string }).fix, what).toMatch(/\w{2}/);
}
