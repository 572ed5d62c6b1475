import { expect, it } from 'vitest';
import { agentProblems } from './agent-problems.js';

const problems = (fields: object) => agentProblems({ a: { description: 'x', prompt: 'y', ...fields } });

it('finds nothing wrong with what the real CLI takes', () => {
  const fields = { tools: ['Read'], effort: 3, maxTurns: 1, memory: 'local', background: false, hooks: {}, color: 7 };
  expect(problems(fields)).toEqual([]);
});

it.each([
  [{ description: '' }, 'a.description: Description cannot be empty'],
  [{ prompt: undefined }, 'a.prompt: Invalid input: expected string, received undefined'],
  [{ tools: 'Read' }, 'a.tools: Invalid input: expected array, received string'],
  [{ skills: ['a', 1] }, 'a.skills.1: Invalid input: expected string, received number'],
  [{ maxTurns: 0 }, 'a.maxTurns: Too small: expected number to be >0'],
  [{ memory: 'x' }, 'a.memory: Invalid option: expected one of "user"|"project"|"local"'],
])('finds wrong with %j: %s', (fields, expected) => {
  expect(problems(fields)).toEqual([expected]);
});

it.each([
  [[], 'Invalid input: expected record, received array'],
  [{ a: null }, 'a: Invalid input: expected object, received null'],
])('finds wrong with %j: %s', (agents, expected) => {
  expect(agentProblems(agents)).toEqual([expected]);
});
