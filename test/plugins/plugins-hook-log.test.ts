import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hookEventNames, isHookEventName } from '../../packages/agents/src/claude/facts/hooks/events.js';
import { hookPayload } from '../../packages/agents/src/claude/facts/hooks/payload.js';
import { recordHooks } from '../../packages/agents/src/claude/hook-recorder.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import { activeHooks } from '../../packages/stage/src/plugins/hooks/active.js';
import { hookLog } from '../../packages/stage/src/plugins/hooks/log.js';
import { writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-hook-log-')));
afterAll(() => rmSync(root, { recursive: true }));

const command = (text: string, more: Record<string, unknown> = {}) => ({
  hooks: [{ type: 'command', command: text, ...more }],
});
const scenario = {
  default_response: {
    text: 'Done.',
    tool_calls: [
      { tool: 'Bash', input: { command: 'echo from the tool', description: 'Say it' } },
      { tool: 'Bash', input: { command: 'exit 3', description: 'Fail' } },
      { tool: 'Write', input: { file_path: join(root, 'project', 'no.txt'), content: 'x' } },
    ],
  },
};

// WorktreeCreate is left out: a hook there takes the place of what the CLI would do.
const everywhere = Object.fromEntries(
  hookEventNames.filter((event) => event !== 'WorktreeCreate').map((event) => [event, [command('cat >/dev/null')]]),
);

describe.skipIf(claude === undefined)('the log of all hooks of a conversation', () => {
  const plugin = writePlugin(root, 'watcher', {
    'hooks/hooks.json': {
      hooks: {
        ...everywhere,
        PreToolUse: [
          { matcher: 'Write', ...command('cat >/dev/null; echo "not in \'this\' folder" >&2; exit 2') },
          { matcher: 'Bash', ...command('cat >/dev/null; echo seen; echo noticed >&2') },
        ],
      },
    },
    'commands/look.md': 'Look.',
  });
  const project = writePlugin(root, 'project', { 'CLAUDE.md': 'Be brief.' });

  async function play(environment: Record<string, string>) {
    const conversation = await Conversation.start({
      agent: 'claude',
      cwd: project,
      plugins: [plugin],
      scenario,
      environment,
    });
    try {
      await conversation.send('Go on.');
      await conversation.send('/watcher:look');
      return { conversation, active: await activeHooks(conversation) };
    } finally {
      await conversation.end();
    }
  }

  it('has stdin, output, exit code and time of each, SessionEnd too', async () => {
    const recorder = recordHooks(join(root, 'record'));
    const { conversation, active } = await play(recorder.environment);
    const log = hookLog(conversation.events, recorder.readLog());
    const events = new Set(log.map(({ event }) => event));
    for (const event of [
      'SessionStart',
      'UserPromptSubmit',
      'UserPromptExpansion',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'Stop',
      'SessionEnd',
    ]) {
      expect(events, event).toContain(event);
    }
    for (const { name, stdin, exitCode, milliseconds, seenBy } of log) {
      expect(JSON.parse(stdin ?? '{}'), name).toMatchObject({ cwd: project, session_id: conversation.sessionId });
      expect(exitCode, name).toBeTypeOf('number');
      expect(milliseconds, name).toBeGreaterThan(0);
      expect(['both', 'recorder'], name).toContain(seenBy);
    }
    expect(log.find(({ event }) => event === 'SessionEnd')).toMatchObject({
      seenBy: 'recorder',
      exitCode: 0,
      blocked: false,
    });
    expect(JSON.parse(log.findLast(({ event }) => event === 'SessionEnd')?.stdin ?? '{}')).toHaveProperty('reason');
    expect(log.find(({ name }) => name === 'PreToolUse:Bash')).toMatchObject({ stdout: 'seen\n', stderr: 'noticed\n' });
    expect(active.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['PreToolUse', 'SessionEnd', 'PostCompact']),
    );
    // Every run that the CLI told of is in the log, once.
    const told = conversation.events.filter(({ type }) => type === 'hook_finished').length;
    expect(log.filter(({ seenBy }) => seenBy === 'both')).toHaveLength(told);

    const blocked = log.filter((execution) => execution.blocked);
    expect(blocked[0]).toMatchObject({
      event: 'PreToolUse',
      decision: 'block',
      action: { kind: 'tool', tool: 'Write' },
    });
    const { action } = blocked[0] ?? {};
    const result = conversation.events.find(
      (event) => event.type === 'tool_result' && action?.kind === 'tool' && event.id === action.callId,
    );
    expect(result).toMatchObject({ status: 'blocked' });

    // Our made-up payloads have the fields of the real ones.
    for (const { event, payload } of recorder.readLog()) {
      if (!isHookEventName(event)) throw new Error(`an event that we do not know: ${event}`);
      const ours = Object.keys(hookPayload(event, { cwd: project, tool: String(payload['tool_name'] ?? 'Write') }));
      const optional = ['prompt_id', 'permission_suggestions'];
      const plain = (keys: string[]) => keys.filter((key) => !optional.includes(key)).sort();
      expect(plain(ours), event).toEqual(plain(Object.keys(payload)));
    }
  });

  it('changes nothing that the model sees', async () => {
    const said = async (environment: Record<string, string>) => {
      const { conversation } = await play(environment);
      return conversation.events.flatMap((event) => {
        if (event.type === 'tool_result') return [`${event.tool} ${event.status}: ${event.text}`];
        return event.type === 'hook_finished'
          ? [`${event.name} ${event.exitCode} ${event.stdout} ${event.stderr}`]
          : [];
      });
    };
    const recorder = recordHooks(join(root, 'again'));
    const sorted = (lines: string[]) => [...lines].sort();
    expect(sorted(await said(recorder.environment))).toEqual(sorted(await said({})));
    expect(recorder.readLog().length).toBeGreaterThan(5);
  });

  it('lets a hook run out of time as it would, and keeps what it said until then', async () => {
    const slow = writePlugin(root, 'slow', {
      'hooks/hooks.json': {
        hooks: { UserPromptSubmit: [command('echo begun; sleep 20; echo never', { timeout: 1 })] },
      },
    });
    const recorder = recordHooks(join(root, 'slow-record'));
    const conversation = await Conversation.start({
      ...{ agent: 'claude', plugins: [slow], environment: recorder.environment },
      scenario: { default_response: 'Done.' },
    });
    const turn = await conversation.send('Go on.').finally(() => conversation.end());
    expect(turn.outcome).toBe('completed');
    const [run] = hookLog(conversation.events, recorder.readLog());
    expect(run).toMatchObject({ outcome: 'cancelled', decision: 'timed out', blocked: false, stdout: 'begun\n' });
  });
});

it('records the hooks of the stand-in in the same way', async () => {
  const project = writePlugin(root, 'sim-project', {
    '.claude/settings.json': { hooks: { UserPromptSubmit: [command('echo kept')], SessionEnd: [command('cat')] } },
  });
  writeFileSync(join(root, 'sim.toml'), '[default_response]\ntext = "Done."\n');
  const recorder = recordHooks(join(root, 'sim-record'));
  const conversation = await Conversation.start({
    ...{ agent: 'claude', stage: 'sim', scenario: join(root, 'sim.toml'), cwd: project },
    environment: recorder.environment,
  });
  await conversation.send('Go on.').finally(() => conversation.end());
  const log = hookLog(conversation.events, recorder.readLog());
  expect(log.map(({ event, stdout }) => [event, stdout.slice(0, 14)])).toEqual([
    ['UserPromptSubmit', 'kept\n'],
    ['SessionEnd', '{"session_id":'],
  ]);
  for (const { stdin } of log) expect(JSON.parse(stdin ?? '{}')).toMatchObject({ cwd: project });
});
