import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { realAgent } from '../helpers/real-agents.js';
import { UNDERSTUDY } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

const PLUGIN = resolve('examples/marketplace/plugins/agent-loop');

type Response = Exclude<NonNullable<ScenarioDocument['responses']>[number]['response'], string | undefined>;

/** Calls of our tools, one after the other; each result comes back to the scripted model. */
function chain(calls: readonly { tool: string; input: Record<string, unknown> }[], last: string) {
  return calls.reduceRight<Response>(
    (then, { tool, input }) => ({
      text: `Now ${tool}.`,
      tool_calls: [{ tool: `mcp__understudy__${tool}`, input }],
      then,
    }),
    { text: last },
  );
}

it('the real Claude Code rehearses a plugin through our server', { timeout: 180_000 }, async (context) => {
  const { agent, version } = await realAgent('claude', context);
  const scratch = createScratch('inside');
  onTestFinished(() => scratch.remove());
  const project = join(scratch.path, 'rehearsed');
  const inner: ScenarioDocument = {
    responses: [
      {
        pattern: { type: 'command', name: 'explore' },
        response: {
          text: 'A systematic investigation. Next, run /plan.',
          tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }],
        },
      },
    ],
  };
  const outer = await Conversation.start({
    agent: `${agent}@${version}`,
    retries: 0,
    args: ['--mcp-config', JSON.stringify(mcpConfig(scratch.path))],
    scenario: {
      responses: [
        {
          pattern: { type: 'contains', text: 'rehearse the plugin' },
          response: chain(
            [
              { tool: 'create_test_project', input: { project_type: 'cli', language: 'python', output_path: project } },
              { tool: 'setup_git_repo', input: { project_path: project } },
              {
                tool: 'start_conversation',
                input: { config: { project, plugins: [PLUGIN], workflow: 'agent-loop', scenario: inner } },
              },
              { tool: 'list_available_commands', input: { plugin: 'agent-loop' } },
            ],
            'It is on stage.',
          ),
        },
        {
          pattern: { type: 'regex', pattern: 'explore in (session_\\S+)' },
          response: chain(
            [
              { tool: 'execute_command', input: { command: '/explore', args: 'all', session_id: '{{1}}' } },
              { tool: 'verify_agent_transition', input: { session_id: '{{1}}', expected_stage: 'exploring' } },
              { tool: 'end_conversation', input: { session_id: '{{1}}' } },
            ],
            'Explored: {{results}}',
          ),
        },
      ],
    },
  });
  onTestFinished(() => outer.end());

  const first = await outer.send('Please rehearse the plugin');
  expect(first.tools.map(({ tool, status }) => [tool, status])).toEqual([
    ['mcp__understudy__create_test_project', 'ok'],
    ['mcp__understudy__setup_git_repo', 'ok'],
    ['mcp__understudy__start_conversation', 'ok'],
    ['mcp__understudy__list_available_commands', 'ok'],
  ]);
  expect(first.text).toContain('It is on stage.');
  const sessionId = /session_[\w-]+/.exec(first.tools[2]?.result ?? '')?.[0];
  expect(sessionId).toBeDefined();
  expect(first.tools[3]?.result).toContain('/agent-loop:explore');
  expect(readFileSync(join(project, '.git/HEAD'), 'utf8')).toContain('main');

  const second = await outer.send(`Now explore in ${sessionId}`);
  expect(second.tools.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(second.tools[0]?.result).toContain('A systematic investigation. Next, run /plan.');
  expect(second.tools[1]?.result).toContain('"passed":true');
  expect(second.text).toContain('Explored: ');
});

type Link = { tool: string; input: Record<string, unknown>; sees?: string };

/** As `chain`, but each result must contain what the agent hopes for. */
function story([link, ...rest]: readonly Link[], last: string): Response {
  if (link === undefined) return { text: last };
  const { tool, input, sees = '' } = link;
  const next = { expect: { type: 'contains' as const, text: sees }, response: story(rest, last) };
  return { text: `Now ${tool}.`, tool_calls: [{ tool, input }], then: [next] };
}

const OURS = 'mcp__understudy__';
const REHEARSAL = `name = "greet greets"
plugins = [".."]
[[responses]]
pattern = { type = "command", name = "demo:greet" }
response = "Hello."
[[steps]]
send = "/demo:greet Ada"
expect = { command = { expands_to = "Greet Ada" } }
`;

it('an agent finds a fault, writes a rehearsal, sees it red, repairs it, and sees it green', async (context) => {
  const { agent, version } = await realAgent('claude', context);
  const scratch = createScratch('story');
  onTestFinished(() => scratch.remove());
  const root = join(scratch.path, 'demo');
  writeFiles(root, {
    '.claude-plugin/plugin.json': { name: 'demo' },
    'commands/greet.md': 'Greet $ARGUMENT kindly.\n',
    'hooks/hooks.json': { hooks: { PreTooluse: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
  });
  const rehearsal = join(root, 'rehearsals/greet.rehearsal.toml');
  const command = join(root, 'commands/greet.md');
  const links: Link[] = [
    { tool: `${OURS}inspect_plugin`, input: { path: root }, sees: 'PreTooluse' },
    { tool: 'Bash', input: { command: `sed -i s/PreTooluse/PreToolUse/ ${root}/hooks/hooks.json` } },
    { tool: `${OURS}inspect_plugin`, input: { path: root }, sees: '"ok":true' },
    {
      tool: `${OURS}write_rehearsal`,
      input: { path: rehearsal, text: REHEARSAL.replace('send', 'sent') },
      sees: 'Change it to `send`',
    },
    { tool: `${OURS}write_rehearsal`, input: { path: rehearsal, text: REHEARSAL }, sees: '"written":true' },
    { tool: `${OURS}run_rehearsal`, input: { path: rehearsal }, sees: 'Greet $ARGUMENT kindly.' },
    { tool: 'Read', input: { file_path: command } },
    { tool: 'Edit', input: { file_path: command, old_string: '$ARGUMENT ', new_string: '$ARGUMENTS ' } },
    { tool: `${OURS}run_rehearsal`, input: { path: rehearsal }, sees: '"passed":true' },
  ];
  const outer = await Conversation.start({
    agent: `${agent}@${version}`,
    retries: 0,
    args: ['--mcp-config', JSON.stringify(mcpConfig(scratch.path))],
    scenario: { responses: [{ pattern: { type: 'any' }, response: story(links, 'Repaired.') }] },
  });
  onTestFinished(() => outer.end());
  const turn = await outer.send('Rehearse my plugin');
  expect(turn.tools.map(({ tool, status }) => [tool, status])).toEqual(links.map(({ tool }) => [tool, 'ok']));
  expect(turn.tools[5]?.result).toContain('"passed":false');
  expect(turn).toMatchObject({ ok: true, text: expect.stringMatching(/Repaired\.$/) });
  expect(readFileSync(command, 'utf8')).toBe('Greet $ARGUMENTS kindly.\n');
});

function mcpConfig(root: string) {
  return {
    mcpServers: {
      understudy: {
        command: process.execPath,
        args: [UNDERSTUDY, 'mcp', '--root', root],
        // Where the CLIs are; the outer home is a scratch one.
        env: { HOME: process.env['HOME'] ?? '', UNDERSTUDY_STORE: process.env['UNDERSTUDY_STORE'] ?? '' },
      },
    },
  };
}
