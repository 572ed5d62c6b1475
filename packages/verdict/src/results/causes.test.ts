import { expect, it } from 'vitest';
import { sampleCheck, sampleEntry } from '../../../../test/helpers/sample-results.js';
import type { CheckResult } from '../checks/result.js';
import { causesOf, describeBecause } from './causes.js';

const step = (number: number, outcome: string, ...checks: CheckResult[]) => ({
  ...{ number, send: 'go', reached: true, said: '', outcome, checks, duration_ms: 1 },
});
const outcome = (message: string) =>
  sampleCheck('failed', { name: 'outcome', subject: { kind: 'turn' }, actual: 'failed', evidence: [message] });
const says = sampleCheck('failed', { name: 'says', subject: { kind: 'text', words: ['x'] } });
const unused = sampleCheck('failed', {
  name: 'every rule is used',
  subject: { kind: 'rule', paths: ['responses[0]'] },
});
const unanswered = (message = 'no rule answers the prompt') =>
  sampleCheck('failed', { name: 'every request is answered', subject: { kind: 'request' }, actual: message });
const server = sampleCheck('failed', {
  ...{ name: 'plugins are sound', category: 'plugins', subject: { kind: 'plugin', names: ['p'] } },
  actual: 'p:files: it did not start',
});
const hook = (name: string) => sampleCheck('failed', { name, subject: { kind: 'hook', event: 'PreToolUse' } });

/** The causes, each with what follows from it. */
const told = (steps: ReturnType<typeof step>[], ...checks: CheckResult[]) =>
  causesOf(sampleEntry('a@claude', 'failed', { steps, checks })).map(({ check, because }) =>
    [check, ...because.map((red) => red.check)].map(({ name }) => name),
  );

it('tells a request that nothing answered first, and folds the turn that it ended', () => {
  const ended = step(1, 'failed', outcome('API Error: 418 understudy: no rule …'), says);
  expect(told([ended, step(2, 'completed', says)], unused, unanswered())).toEqual([
    ['every request is answered', 'outcome', 'says', 'every rule is used'],
    ['says'],
  ]);
});

it('tells a command that nobody knows before the request that it became', () => {
  const unknown: CheckResult = {
    ...outcome('API Error: 418 understudy: …'),
    subject: { kind: 'turn', unknown_command: '/x' },
  };
  expect(told([step(1, 'failed', unknown, says)], unused, unanswered('no rule answers the prompt "/x y"'))).toEqual([
    ['outcome', 'says', 'every rule is used', 'every request is answered'],
  ]);
});

it('tells a server that is not there before the tools of it that are missing', () => {
  const missing = sampleCheck('failed', {
    ...{ name: 'tools: any', subject: { kind: 'tool', tools: ['mcp__plugin_p_files__read'] } },
    expected: 'one of mcp__plugin_p_files__read',
  });
  const other = unanswered('responses[0] calls the tool "mcp__plugin_p_files__read", which is not offered');
  expect(told([step(1, 'completed', missing, says)], server, other)).toEqual([
    ['plugins are sound', 'tools: any', 'every request is answered'],
    ['says'],
  ]);
});

it('folds what a turn that died could not show, in later steps, too', () => {
  expect(told([step(1, 'died', outcome('it ended'), says), step(2, 'died', outcome('it ended'))], unused)).toEqual([
    ['outcome', 'says', 'outcome', 'every rule is used'],
  ]);
});

it('folds the second look at the same hook, and nothing else', () => {
  expect(told([step(1, 'completed', hook('hook'), says)], hook('hooks are alive'), unused)).toEqual([
    ['hook', 'hooks are alive'],
    ['says'],
    ['every rule is used'],
  ]);
});

it('names what follows, and no more than a few', () => {
  const because = Array.from({ length: 8 }, () => ({ step: 1, check: says }));
  expect(describeBecause({ check: says, because: because.slice(0, 1) })).toBe('because of this: 1 check (step 1 says)');
  expect(describeBecause({ check: says, because })).toMatch(/^because of this: 8 checks \(.*says, 2 more\)$/);
});

it('tells a command that nobody has, and what the sandbox refused, before all else', () => {
  const unknown = sampleCheck('failed', { name: 'outcome', subject: { kind: 'turn', unknown_command: '/explor' } });
  const escapes = sampleCheck('failed', { name: 'nothing is tried outside', subject: { kind: 'escapes' } });
  const steps = [step(1, 'completed', says), step(2, 'failed', unknown, hook('hooks'))];
  expect(told(steps, unused, escapes)).toEqual([
    ['outcome', 'hooks', 'every rule is used'],
    ['nothing is tried outside'],
    ['says'],
  ]);
});
