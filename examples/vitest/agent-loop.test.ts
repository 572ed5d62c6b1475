// Tests of a plugin, in code: what a rehearsal file cannot say, a test can.
import { describe, expect, test } from 'agent-understudy/vitest';

test.override({
  plugins: ['../marketplace/plugins/agent-loop'],
  workflow: 'agent-loop',
  projectSpec: { type: 'cli', language: 'python', git: true },
});

describe('explore', () => {
  test.override({
    scenario: {
      responses: [
        {
          pattern: { type: 'command', name: 'explore' },
          response: {
            text: 'A systematic look: the entry point is small. Next, run /plan.',
            tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }],
          },
        },
      ],
    },
  });

  test('looks around and leads to the plan', async ({ agent }) => {
    const turn = await agent.send('/agent-loop:explore the database layer');
    expect(turn).toHaveCompleted();
    expect(turn).toHaveExpandedCommand('explore', 'database layer');
    expect(turn).toHaveUsedTools(['Glob']);
    expect(turn).toHaveWorkflowStage({ from: 'idle', to: 'exploring' });
    expect(turn).toSuggestCommand('/plan');
    expect(turn).not.toHaveCommitted();
    expect(agent).toHaveLoadedPlugins('agent-loop');
  });
});

describe('a command that was renamed', () => {
  test.override({
    scenario: { default_response: 'I do not know that.' },
    allowUnused: true,
  });

  test('is missed', async ({ harness, plugin }) => {
    plugin.rename('commands/explore.md', 'commands/wander.md');
    const agent = await harness.start({ plugins: [plugin.folder] });
    expect(await agent.send('/agent-loop:explore it')).not.toHaveExpandedCommand('explore');
    expect(await agent.send('/agent-loop:wander about')).toHaveExpandedCommand('wander');
  });
});
