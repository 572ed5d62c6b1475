import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { connectOverStdio } from '../helpers/mcp-client.js';
import { realAgent } from '../helpers/real-agents.js';

const TIMEOUT = 180_000;
const MARKETPLACE = resolve('examples/marketplace');

const NAMES = [
  ...['create_test_project', 'setup_git_repo', 'create_sample_files', 'reset_test_environment'],
  ...['capture_test_artifacts', 'assert_contains_keywords', 'assert_workflow_transition', 'assert_command_suggested'],
  ...['assert_error_handled_gracefully', 'start_mcp_server', 'stop_mcp_server', 'verify_mcp_communication'],
  ...['mock_mcp_tool_response', 'install_plugin', 'uninstall_plugin', 'list_plugins', 'get_plugin_status'],
  ...['execute_command', 'get_command_output', 'list_available_commands', 'verify_command_expansion', 'send_prompt'],
  ...['get_response', 'get_conversation_history', 'start_conversation', 'end_conversation', 'get_agent_mode'],
  ...['get_agent_guidance', 'get_workflow_stage', 'verify_agent_transition', 'list_active_hooks', 'trigger_hook'],
  ...['get_hook_execution_log', 'verify_hook_blocked_action'],
  // Beyond the first 34: rehearsals as files.
  ...['inspect_plugin', 'write_rehearsal', 'run_rehearsal', 'check_document'],
];

it('lists all 38 tools with titles, input schemas and annotations, in fewer than 25 kB', async () => {
  const { client, transport } = await connectOverStdio();
  const receive = transport.onmessage;
  let bytes = 0;
  transport.onmessage = (message) => {
    bytes = Buffer.byteLength(JSON.stringify(message));
    receive?.(message);
  };
  const listed = (await client.listTools()).tools;
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(25_000);
  expect(listed.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  for (const tool of listed) {
    expect(tool.title, tool.name).toMatch(/\w/);
    expect(tool.description, tool.name).toMatch(/\w.{20}/);
    expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
    expect(typeof tool.annotations?.readOnlyHint, tool.name).toBe('boolean');
  }
  const { contents } = await client.readResource({ uri: 'understudy://schema/tools' });
  const { text } = contents[0] as { text: string };
  const described = Object.values(JSON.parse(text) as Record<string, { name: string; outputSchema: object }[]>).flat();
  expect(described.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  for (const { name, outputSchema } of described) expect(outputSchema, name).toMatchObject({ type: 'object' });
  const destructive = listed.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name);
  expect(destructive).toEqual(
    expect.arrayContaining(['reset_test_environment', 'end_conversation', 'uninstall_plugin']),
  );
});

it('serves a client of the newest revision just as well', async () => {
  const { client, call } = await connectOverStdio({ client: { versionNegotiation: { mode: 'auto' } } });
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect((await client.listTools()).tools).toHaveLength(38);
  const { passed } = await call('assert_command_suggested', { response: 'Next, run /plan.', command_name: '/plan' });
  expect(passed).toBe(true);
});

it('plays the whole agent-loop from explore to commit', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call } = await connectOverStdio();

  const installed = await call('install_plugin', { plugin_name: 'agent-loop', marketplace_path: MARKETPLACE });
  expect(installed).toMatchObject({ status: 'loaded', errors: [] });
  const project = await call<{ project_path: string }>('create_test_project', {
    project_type: 'cli',
    language: 'python',
    project_name: 'Calculator App',
  });
  expect(project).toMatchObject({ status: 'success' });
  const { project_path } = project;
  await call('create_sample_files', {
    project_path,
    file_specs: [
      { path: 'src/calculator.py', content: 'def add(a, b):\n    return a - b\n' },
      { path: 'tests/test_calculator.py', content: 'def test_add():\n    assert add(2, 3) == 5\n' },
    ],
  });
  await call('setup_git_repo', { project_path });
  const calculator = join(project_path, 'src/calculator.py');
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: {
      project: project_path,
      workflow: 'agent-loop',
      scenario: {
        responses: [
          {
            pattern: { type: 'command', name: 'explore' },
            response: {
              text: 'A systematic investigation shows one bug in add. Next, run /plan.',
              tool_calls: [{ tool: 'Read', input: { file_path: calculator } }],
            },
          },
          {
            pattern: { type: 'command', name: 'plan' },
            response: 'The implementation strategy: add must add. Steps: change one line. Then run /code.',
          },
          {
            pattern: { type: 'command', name: 'code' },
            response: {
              text: 'I fixed the code of add and its test. Run /commit to hand it over.',
              tool_calls: [
                {
                  tool: 'Edit',
                  input: { file_path: calculator, old_string: 'return a - b', new_string: 'return a + b' },
                },
              ],
            },
          },
          {
            pattern: { type: 'command', name: 'commit' },
            response: {
              text: 'The git commit is complete.',
              tool_calls: [{ tool: 'Bash', input: { command: 'git commit -qam "fix: add the numbers"' } }],
            },
          },
        ],
      },
    },
  });

  const stages = [
    { command: '/explore', from: 'idle', to: 'exploring', next: '/plan', keywords: ['systematic', 'investigation'] },
    { command: '/plan', from: 'exploring', to: 'planning', next: '/code', keywords: ['implementation', 'strategy'] },
    { command: '/code', from: 'planning', to: 'coding', next: '/commit', keywords: ['implement', 'code', 'fix'] },
    { command: '/commit', from: 'coding', to: 'complete', next: undefined, keywords: ['commit', 'complete', 'git'] },
  ];
  for (const { command, from, to, next, keywords } of stages) {
    const result = await call<{ response: string; workflow_stage: string; status: string }>('execute_command', {
      command: `${command} with care`,
      session_id,
    });
    expect(result).toMatchObject({
      status: 'completed',
      command: { status: 'expanded', expansion: expect.stringContaining('with care') },
    });
    const found = await call('assert_contains_keywords', { text: result.response, keywords, require_all: false });
    expect(found, command).toMatchObject({ passed: true });
    const move = { from_stage: from, to_stage: to, actual_stage: result.workflow_stage };
    const moved = async (allow_skip: boolean) =>
      call('assert_workflow_transition', { ...move, workflow: 'agent-loop', session_id, allow_skip });
    expect(await moved(true), command).toMatchObject({ passed: true, valid: true });
    // The commit leads over the stage "committing" to "complete" in one turn.
    expect(await moved(false), command).toMatchObject({ passed: command !== '/commit' });
    expect(await call('verify_agent_transition', { session_id, expected_stage: to, from_stage: from })).toMatchObject({
      passed: true,
    });
    if (next !== undefined) {
      const suggested = await call('assert_command_suggested', { response: result.response, command_name: next });
      expect(suggested, command).toMatchObject({ passed: true, command_found: next });
    }
  }

  const log = execFileSync('git', ['log', '--oneline'], { cwd: project_path, encoding: 'utf8' }).trim().split('\n');
  expect(log).toHaveLength(2);
  expect(log[0]).toMatch(/fix: add the numbers/);
  expect(readFileSync(calculator, 'utf8')).toContain('return a + b');
  expect(await call('get_workflow_stage', { session_id })).toMatchObject({ finished: true, invalid: [] });
  expect(await call('end_conversation', { session_id })).toMatchObject({ ended: true, turns: 4, unused_rules: [] });
  // The wrong stage must not pass: the checks above can fail.
  const wrong = await call('assert_workflow_transition', {
    from_stage: 'idle',
    to_stage: 'coding',
    actual_stage: 'complete',
  });
  expect(wrong).toMatchObject({ passed: false });
});

it('on sim runs the tools, and sees a turn that moved nothing', { timeout: TIMEOUT }, async () => {
  const { call } = await connectOverStdio();
  const { project_path } = await call<{ project_path: string }>('create_test_project', {
    project_type: 'cli',
    language: 'go',
  });
  const file_path = join(project_path, 'written.txt');
  const answer = (tool: string, input: object) => ({ text: 'Done.', tool_calls: [{ tool, input }] });
  const scenario = {
    responses: [
      { pattern: { type: 'contains', text: 'fail' }, response: answer('Bash', { command: 'exit 3' }) },
      { pattern: { type: 'any' }, response: answer('Write', { file_path, content: 'x\n' }) },
    ],
  };
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: { stage: 'sim', project: project_path, workflow: 'agent-loop', scenario },
  });
  const say = async (prompt: string) => {
    const { response_id } = await call<{ response_id: string }>('send_prompt', { prompt, session_id });
    return call('get_response', { response_id });
  };
  expect(await say('fail')).toMatchObject({ tools_used: [{ tool: 'Bash', status: 'error' }] });
  expect(await say('write')).toMatchObject({ tools_used: [{ tool: 'Write', status: 'ok' }] });
  expect(readFileSync(file_path, 'utf8')).toBe('x\n');
  expect(await call('verify_agent_transition', { session_id, expected_stage: 'idle' })).toMatchObject({
    passed: false,
    actual: 'it stayed in idle',
  });
});

it('talks to an agent: prompt, progress, history, mode, guidance, artifacts', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call, client } = await connectOverStdio();
  const { project_path } = await call<{ project_path: string }>('create_test_project', {
    project_type: 'library',
    language: 'javascript',
  });
  await call('create_sample_files', {
    project_path,
    file_specs: [{ path: 'CLAUDE.md', content: 'Always greet the reader.\n' }],
  });
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: {
      project: project_path,
      plugins: [join(MARKETPLACE, 'plugins/agent-loop')],
      scenario: {
        responses: [
          {
            pattern: { type: 'contains', text: 'write' },
            response: {
              text: 'It is written.',
              tool_calls: [{ tool: 'Write', input: { file_path: join(project_path, 'note.txt'), content: 'hello\n' } }],
            },
          },
          { pattern: { type: 'command', name: 'explore' }, response: 'Looked around.' },
        ],
      },
    },
  });
  const { response_id } = await call<{ response_id: string }>('send_prompt', { prompt: 'write a note', session_id });
  const progress: string[] = [];
  const answer = await call(
    'get_response',
    { response_id },
    { onprogress: ({ message }) => progress.push(message ?? '') },
  );
  expect(answer).toMatchObject({
    status: 'completed',
    response: 'It is written.',
    tools_used: [{ tool: 'Write', status: 'ok' }],
    files_changed: [{ path: 'note.txt', change: 'created' }],
  });
  expect(progress.some((message) => message.startsWith('Write'))).toBe(true);
  const { command_id } = await call<{ command_id: string }>('execute_command', {
    command: 'explore',
    args: 'the tests',
    session_id,
  });
  expect(await call('get_command_output', { command_id })).toMatchObject({ response: 'Looked around.' });

  const history = await call<{ entries: { role: string; text: string }[] }>('get_conversation_history', { session_id });
  expect(history.entries.map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'agent', 'tool', 'harness']));
  expect(await call('get_agent_mode', { session_id })).toMatchObject({ active_agent: 'claude', running_subagents: [] });
  const { parts } = await call<{ parts: { source: string; text: string }[] }>('get_agent_guidance', { session_id });
  expect(parts.filter(({ source }) => source === 'system').length).toBeGreaterThan(0);
  expect(parts.find(({ source }) => source === 'memory')?.text).toContain('Always greet the reader.');
  expect(parts.find(({ source }) => source === 'command')?.text).toContain('the tests');
  const commands = await call<{ commands: string[] }>('list_available_commands', { plugin: 'agent-loop' });
  expect(commands.commands).toContain('/agent-loop:explore');
  expect(await call('verify_command_expansion', { command: '/explore', args: 'it', session_id })).toMatchObject({
    expands: true,
    name: 'agent-loop:explore',
  });
  expect(await call('verify_command_expansion', { command: '/exlpore', session_id })).toMatchObject({ expands: false });

  const captured = await call<{ artifacts_dir: string; artifact_paths: string[]; absent: { type: string }[] }>(
    'capture_test_artifacts',
    { test_name: 'talks', artifact_types: ['logs', 'screenshots', 'session_state', 'git_diffs', 'conversation'] },
  );
  expect(captured.absent.map(({ type }) => type)).toEqual(['screenshots']);
  for (const path of captured.artifact_paths) expect(existsSync(join(captured.artifacts_dir, path)), path).toBe(true);
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    expect(contents[0], uri).toMatchObject({ uri });
  }
  const transcript = await client.readResource({ uri: `understudy://conversations/${session_id}/transcript` });
  expect(transcript.contents[0]).toMatchObject({ text: expect.stringContaining('It is written.') });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['write_rehearsal', 'rehearse_plugin', 'explain_failure']);
  const explain = await client.getPrompt({ name: 'explain_failure', arguments: { session_id } });
  expect(JSON.stringify(explain.messages)).toContain('unused_rules');
  const reset = await call('reset_test_environment');
  expect(reset).toMatchObject({ status: true, projects_cleaned: true, sessions_cleaned: true, conversations_ended: 1 });
  expect(existsSync(project_path)).toBe(false);
});

it('cancelling a request stops the agent', { timeout: TIMEOUT }, async (context) => {
  await realAgent('claude', context);
  const { call, client } = await connectOverStdio();
  const { session_id } = await call<{ session_id: string }>('start_conversation', {
    config: { scenario: { responses: [{ pattern: { type: 'any' }, response: { text: 'late', delay_ms: 60_000 } }] } },
  });
  const { response_id } = await call<{ response_id: string }>('send_prompt', { prompt: 'hello', session_id });
  expect(await call('get_response', { response_id, wait: false })).toMatchObject({ status: 'running' });
  expect(await call('get_response', { response_id, timeout_ms: 10 })).toMatchObject({ status: 'running' });
  const busy = await client.callTool({ name: 'send_prompt', arguments: { prompt: 'more', session_id } });
  expect(busy).toMatchObject({ isError: true, structuredContent: { error: { code: 'AGENT_BUSY' } } });
  const cancel = new AbortController();
  const waiting = call('get_response', { response_id }, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 300);
  await expect(waiting).rejects.toThrow();
  expect(await call('get_response', { response_id, timeout_ms: 20_000 })).toMatchObject({ status: 'interrupted' });
});
