import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, type TestContext } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { readEventLog } from '../../packages/stage/src/conversation/event-log.js';
import type { ConversationOptions } from '../../packages/stage/src/conversation/options.js';
import { replayEvents } from '../../packages/stage/src/conversation/tracker.js';
import { loadWorkflow } from '../../packages/stage/src/conversation/workflow/workflow.js';
import { realAgent } from '../helpers/real-agents.js';
import { ECHO_TOOL, writeSamplePlugin } from '../helpers/sample-plugin.js';
import { untilAnswering } from '../helpers/until-answering.js';

const TIMEOUT = 120_000;
const open: Conversation[] = [];
const scratches: Scratch[] = [];

function scratch(purpose = 'test'): string {
  const made = createScratch(purpose);
  scratches.push(made);
  return made.path;
}

afterEach(async () => {
  for (const conversation of open.splice(0)) await conversation.end();
  for (const made of scratches.splice(0)) await made.remove();
});

async function start(context: TestContext, options: ConversationOptions): Promise<Conversation> {
  const { agent, version } = await realAgent(options.agent ?? 'claude', context);
  const conversation = await Conversation.start({ ...options, agent: `${agent}@${version}`, retries: 0 });
  open.push(conversation);
  return conversation;
}

function says(
  text: string,
  response: NonNullable<ScenarioDocument['responses']>[number]['response'],
): ScenarioDocument {
  return { responses: [{ pattern: { type: 'contains', text }, response }] };
}

function gitProject(): string {
  const folder = scratch('project');
  writeFileSync(join(folder, 'app.py'), 'print("hello")\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  git('init', '--quiet');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.com');
  git('add', '.');
  git('commit', '--quiet', '-m', 'chore: start');
  return folder;
}

it('walks through a plugin’s commands from explore to commit', { timeout: TIMEOUT }, async (context) => {
  const project = gitProject();
  const artifacts = join(scratch(), 'run');
  const conversation = await start(context, {
    cwd: project,
    artifacts,
    plugins: [writeSamplePlugin(scratch())],
    workflow: 'agent-loop',
    scenario: {
      responses: [
        {
          pattern: { type: 'contains', text: 'Systematically investigate the app' },
          response: {
            text: 'One file: app.py. Next, run /plan.',
            tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }],
          },
        },
        { pattern: { type: 'command', name: 'plan' }, response: 'The plan: greet better. Next, run /code.' },
        {
          pattern: { type: 'command', name: 'code' },
          response: {
            text: 'Done.',
            tool_calls: [{ tool: 'Write', input: { file_path: join(project, 'greet.py'), content: 'print("hi")\n' } }],
          },
        },
        {
          pattern: { type: 'command', name: 'commit' },
          response: {
            text: 'Committed.',
            tool_calls: [{ tool: 'Bash', input: { command: 'git add . && git commit --quiet -m "feat: greet"' } }],
          },
        },
      ],
    },
  });

  const explore = await conversation.send('/explore the app');
  expect(explore).toMatchObject({ ok: true, text: 'One file: app.py. Next, run /plan.', workflowStage: 'exploring' });
  expect(explore.command).toMatchObject({
    typed: '/explore',
    name: 'sampler:explore',
    status: 'expanded',
    expansion: expect.stringContaining('Systematically investigate the app'),
  });
  expect(explore.tools).toMatchObject([{ tool: 'Glob', status: 'ok', result: expect.stringContaining('app.py') }]);

  expect(await conversation.send('/plan')).toMatchObject({ ok: true, workflowStage: 'planning' });
  const code = await conversation.send('/code');
  expect(code).toMatchObject({ ok: true, workflowStage: 'coding' });
  expect(code.files).toMatchObject([{ path: 'greet.py', change: 'created', after: 'print("hi")\n' }]);

  const commit = await conversation.send('/commit');
  expect(commit).toMatchObject({ ok: true, workflowStage: 'complete' });
  expect(commit.commits).toMatchObject([{ message: 'feat: greet', files: ['greet.py'] }]);
  expect(commit.transitions.map(({ from, to }) => `${from} → ${to}`)).toEqual([
    'coding → committing',
    'committing → complete',
  ]);

  expect(conversation.context.chains).toEqual([['sampler:explore', 'sampler:plan', 'sampler:code', 'sampler:commit']]);
  expect(conversation.workflow?.invalid).toEqual([]);
  const { history, workflow } = replayEvents(conversation.events, loadWorkflow('agent-loop'));
  expect(history).toEqual(conversation.stateHistory);
  expect(workflow).toEqual(conversation.workflow);
  expect(conversation.stateHistory.map(({ state }) => state)).toContain('WORKFLOW_TRANSITION');

  await conversation.end();
  const stored = replayEvents(readEventLog(join(artifacts, 'events.jsonl')), loadWorkflow('agent-loop'));
  expect(stored.history).toEqual(conversation.stateHistory);
  expect(existsSync(conversation.home)).toBe(false);
});

it('lets a hook block a tool, and the file is not there', { timeout: TIMEOUT }, async (context) => {
  const project = scratch('project');
  const file = join(project, 'secret.txt');
  const conversation = await start(context, {
    cwd: project,
    plugins: [writeSamplePlugin(scratch())],
    scenario: says('write', {
      text: 'I could not.',
      tool_calls: [{ tool: 'Write', input: { file_path: file, content: 'x' } }],
    }),
  });
  const turn = await conversation.send('write the secret');
  expect(turn.tools).toMatchObject([
    { tool: 'Write', status: 'blocked', result: expect.stringContaining('hands off') },
  ]);
  expect(turn.hooks.find(({ event }) => event === 'PreToolUse')).toMatchObject({
    blocked: true,
    exitCode: 2,
    stderr: 'hands off\n',
  });
  expect(existsSync(file)).toBe(false);
  expect(turn.files).toEqual([]);
});

it('fails a turn whose prompt a hook refused', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start(context, {
    plugins: [writeSamplePlugin(scratch())],
    scenario: says('x', 'never said'),
  });
  expect(await conversation.send('forbidden x')).toMatchObject({
    outcome: 'failed',
    reason: 'blocked_by_hook',
    message: 'not that',
    text: '',
  });
});

it('denies a permission when the test says so', { timeout: TIMEOUT }, async (context) => {
  const asked: string[] = [];
  const conversation = await start(context, {
    scenario: says('delete', {
      text: 'I may not.',
      tool_calls: [{ tool: 'Bash', input: { command: 'rm -rf build' } }],
    }),
    permissions: ({ tool, input }) => {
      asked.push(`${tool} ${String(input['command'])}`);
      return { behavior: 'deny', message: 'not in this test' };
    },
  });
  const turn = await conversation.send('delete it');
  expect(asked).toEqual(['Bash rm -rf build']);
  expect(turn.permissions).toMatchObject([{ decision: 'deny', message: 'not in this test' }]);
  expect(turn.tools).toMatchObject([{ tool: 'Bash', status: 'denied', result: 'not in this test' }]);
  expect(turn).toMatchObject({ ok: true, text: 'I may not.' });
});

it('denies what a policy that throws was asked', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start(context, {
    scenario: says('delete', { text: 'no', tool_calls: [{ tool: 'Bash', input: { command: 'rm -rf build' } }] }),
    permissions: () => {
      throw new Error('oops');
    },
  });
  const turn = await conversation.send('delete it');
  expect(turn.tools).toMatchObject([{ status: 'denied', result: expect.stringContaining('oops') }]);
});

it('calls the MCP tool of a plugin, and tells the server’s status, the hooks and the context', {
  timeout: TIMEOUT,
}, async (context) => {
  const conversation = await start(context, {
    plugins: [writeSamplePlugin(scratch())],
    scenario: says('echo', { text: 'It spoke.', tool_calls: [{ tool: ECHO_TOOL, input: { text: 'hello' } }] }),
  });
  const turn = await conversation.send('echo this');
  expect(turn.tools).toMatchObject([{ tool: ECHO_TOOL, status: 'ok', result: 'the server says hello' }]);
  expect(await conversation.control('mcp_status')).toMatchObject({
    mcpServers: [{ name: 'plugin:sampler:echo', status: 'connected' }],
  });
  expect(JSON.stringify(await conversation.control('get_hooks_listing'))).toContain('sampler@inline');
  expect(await conversation.control('get_context_usage')).toHaveProperty('categories');
  await expect(conversation.control('no_such_thing')).rejects.toMatchObject({ code: 'AGENT_REFUSED' });
});

it('follows a subagent, and waits for one in the background', { timeout: TIMEOUT }, async (context) => {
  const task = { description: 'look', prompt: 'scout the area', subagent_type: 'sampler:scout' };
  const conversation = await start(context, {
    plugins: [writeSamplePlugin(scratch())],
    scenario: {
      responses: [
        {
          pattern: { type: 'contains', text: 'scout the area' },
          when: { agent: 'sampler:scout' },
          response: 'All quiet.',
        },
        {
          pattern: { type: 'contains', text: 'send' },
          response: { text: 'Sent.', tool_calls: [{ tool: 'Agent', input: task }] },
        },
        { pattern: { type: 'any' }, response: 'It came back.', optional: true },
      ],
    },
  });
  const turn = await conversation.send('send the scout');
  expect(turn).toMatchObject({ outcome: 'completed' });
  expect(turn.text).toContain('Sent.');
  expect(turn.text).not.toContain('All quiet.');
  expect(turn.events.find(({ type }) => type === 'subagent_started')).toMatchObject({
    agent: 'sampler:scout',
    prompt: 'scout the area',
  });
  expect(turn.events.find(({ type }) => type === 'subagent_finished')).toMatchObject({ status: 'completed' });
  expect(conversation.state).toEqual({ name: 'USER_PROMPT' });
});

it('resumes a stored session', { timeout: TIMEOUT }, async (context) => {
  const home = scratch('home');
  const cwd = scratch('project');
  const scenario: ScenarioDocument = {
    responses: [
      { pattern: { type: 'contains', text: 'name' }, response: 'Noted.' },
      { pattern: { type: 'contains', text: 'again' }, response: 'Still here.' },
    ],
  };
  const first = await start(context, { home, cwd, scenario });
  await first.send('my name is Ada');
  const { sessionId } = first;
  await first.end();

  const second = await start(context, {
    home,
    cwd,
    scenario,
    ...(sessionId === undefined ? {} : { resume: sessionId }),
  });
  expect(await second.send('again')).toMatchObject({ ok: true, text: 'Still here.' });
  expect(second.sessionId).toBe(sessionId);
  const sent = JSON.stringify(second.server?.journal.entries({ kind: 'answer' }).map(({ body }) => body));
  expect(sent).toContain('my name is Ada');
});

it('interrupts a turn and goes on with the next', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start(context, {
    scenario: {
      responses: [
        { pattern: { type: 'contains', text: 'slow' }, response: { text: 'too late', delay_ms: 60_000 } },
        { pattern: { type: 'contains', text: 'next' }, response: 'Here.' },
      ],
    },
  });
  const slow = conversation.send('slow please');
  await untilAnswering(conversation);
  await conversation.cancel();
  expect(await slow).toMatchObject({ outcome: 'interrupted', ok: false, text: '' });
  expect(await conversation.send('next')).toMatchObject({ ok: true, text: 'Here.' });
});

it('reports a CLI that was killed, and sends nothing more to it', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start(context, { scenario: says('slow', { text: 'never', delay_ms: 60_000 }) });
  const turn = conversation.send('slow please');
  const pid = conversation.pid ?? 0;
  expect(pid).toBeGreaterThan(0);
  await untilAnswering(conversation);
  process.kill(pid, 'SIGKILL');
  expect(await turn).toMatchObject({ outcome: 'died', ok: false, message: expect.stringContaining('SIGKILL') });
  expect(conversation.events.find(({ type }) => type === 'process_ended')).toMatchObject({
    unexpected: true,
    signal: 'SIGKILL',
  });
  await expect(conversation.send('more')).rejects.toMatchObject({ code: 'AGENT_ENDED' });
});

it('kills the whole group at a turn’s deadline and keeps what was seen', { timeout: TIMEOUT }, async (context) => {
  const cwd = scratch('project');
  const command =
    'setsid sh -c "echo \\$\\$ > pid; exec sleep 600" & while [ ! -s pid ]; do sleep 0.1; done; while true; do sleep 1; done';
  const conversation = await start(context, {
    cwd,
    scenario: says('hang', { text: 'never', tool_calls: [{ tool: 'Bash', input: { command } }] }),
  });
  const turn = await conversation.send('hang', { deadlineMs: 8000 });
  expect(turn).toMatchObject({ outcome: 'timed_out', ok: false });
  expect(turn.tools).toMatchObject([{ tool: 'Bash' }]);
  await conversation.end();
  // Killed it is; a busy machine may need a moment to bury it.
  await expect
    .poll(() => isAlive(Number(execFileSync('cat', [join(cwd, 'pid')], { encoding: 'utf8' }))), { timeout: 10_000 })
    .toBe(false);
});

it('catches an unknown command and names the nearest', { timeout: TIMEOUT }, async (context) => {
  const conversation = await start(context, {
    plugins: [writeSamplePlugin(scratch())],
    scenario: { default_response: 'I took that for a question.' },
  });
  const turn = await conversation.send('/explor the app');
  expect(turn).toMatchObject({
    outcome: 'failed',
    reason: 'unknown_command',
    message: expect.stringContaining('/sampler:explore'),
  });
  expect(turn.command).toMatchObject({ status: 'unknown', failed: true });
});

it('tells a plugin’s error from the CLI’s own list', { timeout: TIMEOUT }, async (context) => {
  const plugin = join(scratch(), 'broken');
  mkdirSync(join(plugin, '.claude-plugin'), { recursive: true });
  mkdirSync(join(plugin, 'hooks'));
  writeFileSync(join(plugin, '.claude-plugin', 'plugin.json'), JSON.stringify({ name: 'broken', version: '1.0.0' }));
  writeFileSync(join(plugin, 'hooks', 'hooks.json'), '{ this is not JSON');
  const conversation = await start(context, { plugins: [plugin], scenario: { default_response: 'ok' } });
  await conversation.send('hello');
  const errors = conversation.events.flatMap((event) => (event.type === 'session' ? (event.pluginErrors ?? []) : []));
  expect(errors).toMatchObject([{ plugin: expect.stringContaining('broken') }]);
});

it('fails a turn that the scenario does not answer, with the scenario’s own words', {
  timeout: TIMEOUT,
}, async (context) => {
  const conversation = await start(context, { scenario: says('expected', 'fine') });
  const turn = await conversation.send('something else');
  expect(turn).toMatchObject({
    outcome: 'failed',
    reason: 'api_error',
    message: expect.stringContaining('no rule of the scenario answers'),
  });
});

it.for(['claude@2.1.197', 'claude'])('plays the same on %s', { timeout: TIMEOUT }, async (agent, context) => {
  const conversation = await start(context, {
    agent,
    plugins: [writeSamplePlugin(scratch())],
    scenario: {
      responses: [
        {
          pattern: { type: 'command', name: 'explore' },
          response: { text: 'Explored.', tool_calls: [{ tool: 'Bash', input: { command: 'echo seen' } }] },
        },
      ],
      default_response: 'Hm.',
    },
  });
  expect(await conversation.send('/explore all')).toMatchObject({
    ok: true,
    text: 'Explored.',
    tools: [{ tool: 'Bash', status: 'ok', result: 'seen', exitCode: 0 }],
    command: { name: 'sampler:explore', status: 'expanded' },
  });
  expect(await conversation.send('/nosuch')).toMatchObject({ outcome: 'failed', reason: 'unknown_command' });
  expect(await conversation.send('hello')).toMatchObject({ ok: true, text: 'Hm.' });
});

it('does not wait for a command that works in the background when it ends', { timeout: TIMEOUT }, async (context) => {
  const input = { command: 'sleep 5000', run_in_background: true };
  const conversation = await start(context, {
    scenario: {
      responses: [{ pattern: { type: 'any' }, response: { tool_calls: [{ tool: 'Bash', input }], then: 'started' } }],
    },
    deadlines: { endMs: 100 * TIMEOUT },
  });
  expect(await conversation.send('start it')).toMatchObject({ outcome: 'completed', text: 'started' });
  // The deadline alone is longer than this test may take.
  await conversation.end();
  expect(conversation.events.at(-1)).toMatchObject({ type: 'session_ended' });
});
