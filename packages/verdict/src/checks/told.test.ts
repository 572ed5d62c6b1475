import type { TextPattern } from '@understudy/script';
import type { Told } from '@understudy/stage';
import { expect, it } from 'vitest';
import { checkTold, type ExpectedTold } from './told.js';

const contains = (text: string): TextPattern => ({ type: 'contains', text });
const requests = [
  {
    system: ['You are an agent.', '- p:greet: Greets people'],
    messages: ['hello', 'PostToolUse:Bash hook blocking error from command: "x": mend it'],
    tools: [{ name: 'Bash', description: 'Runs a command' }, { name: 'mcp__browser__click' }],
  },
  { agent: 'p:helper', system: ['You help.'], messages: ['do it'], tools: [{ name: 'Read' }] },
];
const check = (told: Told | undefined, expected: ExpectedTold, not = false) =>
  checkTold({ turn: [], all: [], told: told && (() => told) }, expected, { not }).map(({ status }) => status);

it.each([
  [{ system: [contains('Greets people')] }, 'passed'],
  [{ system: [contains('Greets nobody')] }, 'failed'],
  [{ system: [contains('You help')] }, 'failed'],
  [{ message: [contains('mend it')] }, 'passed'],
  [{ message: [contains('Greets people')] }, 'failed'],
  [{ message: [contains('do it')] }, 'failed'],
  [{ tools: [{ name: 'Bash' }] }, 'passed'],
  [{ tools: [{ name: 'shell' }] }, 'passed'],
  [{ tools: [{ name: 'click' }] }, 'passed'],
  [{ tools: [{ name: 'Read' }] }, 'failed'],
  [{ tools: [{ name: 'Bash', description: contains('Runs') }] }, 'passed'],
  [{ tools: [{ name: 'Bash', description: contains('Walks') }] }, 'failed'],
  [{ agent: 'helper', system: [contains('You help')] }, 'passed'],
  [{ agent: 'helper', message: [contains('mend it')] }, 'failed'],
  [{ agent: 'other', message: [contains('do it')] }, 'failed'],
])('%j is %s, and the opposite with `not`', (expected: ExpectedTold, status) => {
  expect(check({ requests }, expected)).toEqual([status]);
  const opposite = { passed: 'failed', failed: expected.agent === 'other' ? 'unjudged' : 'passed' }[status];
  expect(check({ requests }, expected, true)).toEqual([opposite]);
});

it('is not judged where nobody knows what the model was told', () => {
  for (const told of [{ unknown: 'it is live' }, undefined]) {
    expect(check(told, { message: [contains('x')], tools: [{ name: 'Bash' }] })).toEqual(['unjudged', 'unjudged']);
    expect(check(told, { message: [contains('x')] }, true)).toEqual(['unjudged']);
  }
});

it('does not conclude from a stand-in what the real system prompt does not say', () => {
  const standIn = { requests, standIn: true } as const;
  expect(check(standIn, { system: [contains('Greets people')] })).toEqual(['passed']);
  expect(check(standIn, { system: [contains('be careful')] })).toEqual(['unjudged']);
  expect(check(standIn, { system: [contains('be careful')] }, true)).toEqual(['unjudged']);
  expect(check(standIn, { message: [contains('be careful')] })).toEqual(['failed']);
  const [first, { tools: _, ...helper }] = requests as [object, (typeof requests)[number]];
  const subagent = { requests: [first, helper], standIn: true } as Told;
  expect(check(subagent, { agent: 'helper', tools: [{ name: 'Write' }] }, true)).toEqual(['unjudged']);
});

it('fails when the model was not asked at all', () => {
  expect(check({ requests: [] }, { message: [contains('x')] })).toEqual(['failed']);
  expect(check({ requests: [] }, { message: [contains('x')] }, true)).toEqual(['unjudged']);
});

it('says of what the agent was not told that a subagent was', () => {
  const actual = (expected: ExpectedTold) =>
    checkTold({ turn: [], all: [], told: () => ({ requests }) }, expected, { not: true }).map((one) => one.actual);
  const expected = { system: [contains('You help')], message: [contains('do it')], tools: [{ name: 'Read' }] };
  for (const text of actual(expected))
    expect(text).toMatch(/; the subagent p:helper was: see it with agent = "p:helper"$/);
  expect(actual({ message: [contains('nobody heard this')] }).join()).not.toContain('subagent');
  expect(actual({ ...expected, agent: 'other' }).join()).not.toContain('p:helper');
});
