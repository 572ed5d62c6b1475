import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { inspectMarketplace } from '../../packages/stage/src/plugins/inspect-marketplace.js';
import { runPluginCommand } from '../../packages/stage/src/plugins/plugin-cli.js';
import { Copy, MARKETPLACE } from '../faults/copy.js';
import { realAgent } from '../helpers/real-agents.js';

/** What each plugin promises, by kind. The rehearsals show what it does, and test/faults what breaks it. */
const PROMISED: Record<string, Record<string, string[]>> = {
  'agent-loop': {
    command: ['code', 'commit', 'explore', 'plan'],
    agent: ['loop-guide'],
    skill: ['map-the-code'],
  },
  epti: {
    command: ['commit-code', 'commit-tests', 'implement', 'iterate', 'verify-fail', 'write-tests'],
    agent: ['tdd-coach'],
    skill: ['test-first'],
  },
  'visual-iteration': {
    command: ['commit-visual', 'feedback', 'refine', 'screenshot'],
    agent: ['visual-reviewer'],
    skill: ['measured-feedback'],
    server: ['browser-tools'],
  },
  promptctl: { command: ['log', 'rules'] },
};
const found = await realAgent('claude');

describe.skipIf(found === undefined)('the example marketplace in the real Claude Code', () => {
  let scratch: Scratch;
  beforeAll(() => {
    scratch = createScratch('marketplace');
  });
  afterAll(() => scratch.remove());

  const claude = () => found ?? expect.unreachable();

  async function validate(path: string): Promise<{ success: boolean; manifest?: { warnings: unknown[] } }> {
    const home = { agent: claude(), home: join(scratch.path, 'home') };
    return JSON.parse(await runPluginCommand(home, ['validate', '--strict', '--json', path]));
  }

  it('is clean under validate --strict, as a whole and plugin by plugin', async () => {
    for (const path of ['', ...Object.keys(PROMISED).map((name) => `plugins/${name}`)]) {
      expect(await validate(join(MARKETPLACE, path))).toMatchObject({ success: true, manifest: { warnings: [] } });
    }
  });

  it('is not valid with a broken manifest, or a hook of an event that does not exist', async () => {
    const copy = new Copy(MARKETPLACE, join(scratch.path, 'broken'));
    copy.edit('plugins/agent-loop/.claude-plugin/plugin.json', '"name": "agent-loop",', '"name": 7,');
    copy.edit('plugins/promptctl/hooks/hooks.json', '"PostToolUse":', '"AfterToolUse":');
    for (const name of ['agent-loop', 'promptctl']) {
      expect(await validate(join(copy.folder, 'plugins', name))).toMatchObject({ success: false });
    }
  });

  it('installs, and loads all that it promises from the installed copy', async () => {
    const reports = await inspectMarketplace(MARKETPLACE, { agent: claude() });
    expect(reports.map(({ plugin, ok, problems }) => ({ plugin, ok, problems }))).toEqual(
      Object.keys(PROMISED).map((plugin) => ({ plugin, ok: true, problems: [] })),
    );
    for (const { plugin, components } of reports) {
      const loaded = (kind: string) =>
        components
          .filter((component) => component.kind === kind && component.status === 'loaded')
          .map(({ name }) => name.replace(/^.*:/, ''))
          .sort();
      for (const [kind, names] of Object.entries(PROMISED[plugin] ?? {})) expect(loaded(kind), plugin).toEqual(names);
    }
  });

  async function withPromptctl(scenario: ScenarioDocument, environment: Record<string, string>) {
    const plugins = [join(MARKETPLACE, 'plugins/promptctl')];
    return Conversation.start({ agent: `claude@${claude().version}`, plugins, scenario, environment });
  }

  it('has hooks of promptctl that log every event that a session has', async () => {
    const log = join(scratch.path, 'log.jsonl');
    const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'work' } });
    const conversation = await withPromptctl(
      {
        responses: [
          {
            pattern: { type: 'exact', text: 'hello' },
            response: { text: 'Done.', tool_calls: [bash('echo one'), bash('exit 3')] },
          },
        ],
        default_response: 'Fine.',
      },
      { PROMPTCTL_LOG: log },
    );
    for (const prompt of ['hello', '/promptctl:log', '/compact']) await conversation.send(prompt);
    await conversation.end();
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const logged = new Set(lines.map((line) => (JSON.parse(line) as { event: string }).event));
    const events = [
      ...['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PostToolUse'],
      ...['PostToolUseFailure', 'Stop', 'PreCompact', 'PostCompact', 'SessionEnd'],
    ];
    expect(events.filter((event) => !logged.has(event))).toEqual([]);
  });

  it('has a hook of promptctl that keeps a prompt from the model', async () => {
    const conversation = await withPromptctl(
      { default_response: 'Hello.' },
      { PROMPTCTL_BLOCK: 'UserPromptSubmit:password' },
    );
    await conversation.send('the password is rosebud');
    expect(await conversation.send('hello')).toMatchObject({ outcome: 'completed', text: 'Hello.' });
    const sent = JSON.stringify(conversation.server?.journal.entries());
    await conversation.end();
    expect(sent).toContain('hello');
    expect(sent).not.toContain('rosebud');
  });
});
