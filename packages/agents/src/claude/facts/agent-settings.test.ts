import { describe, expect, it } from 'vitest';
import { readAgentSettings, withMemoryTools } from './agent-settings.js';

describe('readAgentSettings', () => {
  it.each([
    [{ skills: 'two, one two' }, { skills: ['two', 'one'] }],
    [{ skills: ['a, b', ' c ', 7] }, { skills: ['a', 'b', 'c', '7'] }],
    [{ skills: '' }, {}],
    [
      { maxTurns: '3', background: 'true', effort: 'high' },
      { maxTurns: 3, background: true, effort: 'high' },
    ],
    [{ maxTurns: 0, background: false, permissionMode: 'nonsense', isolation: 'remote', hooks: 'x' }, {}],
    [{ maxTurns: 1.5 }, {}],
    // It is not for an agent to say that nobody is asked.
    [{ permissionMode: 'bypassPermissions' }, {}],
  ])('reads %j as %j', (fields, expected) => {
    expect(readAgentSettings(fields, 'own')).toEqual(expected);
  });

  const fields = {
    permissionMode: 'plan',
    hooks: { Stop: [] },
    initialPrompt: 'Begin',
    maxTurns: 2,
    isolation: 'worktree',
  };

  it('believes the user', () => {
    expect(readAgentSettings(fields, 'own')).toEqual(fields);
  });

  it('does not run the hooks of a project that nobody has said to trust', () => {
    const { hooks: _, ...rest } = fields;
    expect(readAgentSettings(fields, 'untrusted')).toEqual(rest);
  });

  it('takes from a plugin neither mode nor hooks nor first words', () => {
    expect(readAgentSettings(fields, 'plugin')).toEqual({ maxTurns: 2, isolation: 'worktree' });
  });
});

it('gives an agent with a memory the tools to keep it, where it does not have all', () => {
  expect(withMemoryTools(['Read', 'Bash'], { memory: 'user' })).toEqual(['Read', 'Bash', 'Write', 'Edit']);
  expect(withMemoryTools(undefined, { memory: 'user' })).toBeUndefined();
  expect(withMemoryTools(['Bash'], { memory: 'nonsense' })).toEqual(['Bash']);
});
