// Tests of a plugin, in code: what a rehearsal file cannot say, a test can.
import { describe, expect, test } from 'agent-understudy/vitest';

test.override({
  plugins: ['../marketplace/plugins/agent-loop'],
  workflow: 'agent-loop',
  project: { type: 'cli', language: 'python', git: true },
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

  test('looks around and leads to the plan', async ({ conversation }) => {
    const turn = await conversation.send('/agent-loop:explore the database layer');
    expect(turn).toMeet({
      command: { name: 'explore', expands_to: 'database layer' },
      tools: { all: ['Glob'] },
      workflow: { from: 'idle', to: 'exploring' },
      suggests: '/plan',
      plugins: ['agent-loop'],
    });
    expect(turn).not.toMeet({ commits: {} });
  });
});

describe('a command that was renamed', () => {
  test.override({
    scenario: { default_response: 'I do not know that.' },
    allowUnused: true,
  });

  test('is missed', async ({ harness, plugin }) => {
    plugin.rename('commands/explore.md', 'commands/wander.md');
    const conversation = await harness.start({ plugins: [plugin.folder] });
    const missed = await conversation.send('/agent-loop:explore it');
    expect(missed).not.toMeet({ command: { name: 'explore' } });
    const found = await conversation.send('/agent-loop:wander about');
    expect(found).toMeet({ command: { name: 'wander' } });
  });
});
