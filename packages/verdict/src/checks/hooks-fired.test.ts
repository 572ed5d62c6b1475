import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import { checkHook, checkHookOrder, checkHooksAlive } from './hooks-fired.js';
import type { Observed } from './observed.js';
import { hasPassed } from './result.js';

const prompt: EventBody = { type: 'prompt', id: 'p', text: 'hi' };
const ended: EventBody = { type: 'turn_ended', outcome: 'completed', milliseconds: 1 };

function observe(...bodies: EventBody[]): Observed {
  const turn = bodies.map(
    (body, seq) => ({ seq, at: '2026-01-01T00:00:00.000Z', turn: 1, ...body }) as ConversationEvent,
  );
  return { turn, all: turn };
}

const hook = (name: string, more: Partial<EventBody & { type: 'hook_finished' }> = {}): EventBody => ({
  type: 'hook_finished',
  id: name,
  name,
  event: name.split(':')[0] ?? '',
  stdout: '',
  stderr: '',
  outcome: 'success',
  blocked: false,
  exitCode: 0,
  ...more,
});

it('hooks: fired, blocked and not fired are three things', () => {
  const seen = observe(hook('PreToolUse:Write', { blocked: true, exitCode: 2, stderr: 'tests first' }), hook('Stop'));
  expect(checkHook(seen, { event: 'PreToolUse', on: 'Write', blocked: true }).status).toBe('passed');
  expect(checkHook(seen, { event: 'PreToolUse', on: 'Edit' })).toMatchObject({
    status: 'failed',
    actual: 'PreToolUse:Edit did not fire',
  });
  expect(checkHook(seen, { event: 'Stop', blocked: true }).status).toBe('failed');
  expect(checkHook(seen, { event: 'Stop', fired: false }).status).toBe('failed');
  expect(checkHook(seen, { event: 'SessionEnd', fired: false }).status).toBe('passed');
  expect(checkHook(seen, { event: 'PreToolUse', exit_code: 1 }).status).toBe('failed');
});

it('hooks: one that blocks is not let through by another that does not', () => {
  const seen = observe(hook('Stop', { blocked: true, exitCode: 2, stderr: 'no' }), hook('Stop', { stdout: 'yes' }));
  const free = { event: 'Stop', blocked: false };
  expect(checkHook(seen, free)).toMatchObject({
    status: 'failed',
    suggestion: expect.stringMatching(/^One run blocked/),
  });
  expect(checkHook(seen, { ...free, exit_code: 0 }).status).toBe('failed');
  expect(checkHook(seen, free, [{ event: 'Stop', blocked: true }, free]).status).toBe('passed');
  expect(checkHook(seen, free, [{ event: 'PreToolUse', blocked: true }, free]).status).toBe('failed');
  expect(checkHook(seen, { ...free, count: 1 }).status).toBe('passed');
  expect(checkHook(seen, { ...free, stdout: { type: 'contains', text: 'yes' } }).status).toBe('passed');
});

it('hooks: explains the exit code that does not block', () => {
  const seen = observe(hook('PreToolUse:Write', { exitCode: 1, outcome: 'error' }));
  expect(checkHook(seen, { event: 'PreToolUse', blocked: true }).suggestion).toContain('exit code 1 does not block');
});

it('hooks: what a hook said, and how often it fired', () => {
  const contains = (text: string) => ({ type: 'contains', text }) as const;
  const blocking = { blocked: true, exitCode: 2, stderr: 'tests first', reason: 'tests first' };
  const seen = observe(
    hook('PreToolUse:Write', blocking),
    hook('PreToolUse:Write', blocking),
    hook('PreToolUse:Bash', { stdout: '{"continue":true}' }),
    hook('Stop'),
  );
  const passed = (expected: Omit<Parameters<typeof checkHook>[1], 'event'>) =>
    hasPassed(checkHook(seen, { event: 'PreToolUse', ...expected }));
  expect(passed({ reason: contains('tests first') })).toBe(true);
  expect(passed({ reason: contains('tests last') })).toBe(false);
  expect(passed({ on: 'Bash', reason: contains('tests first') })).toBe(false);
  expect(passed({ on: 'Bash', stdout: contains('continue') })).toBe(true);
  expect(passed({ on: 'Write', stdout: contains('continue') })).toBe(false);
  expect(passed({ on: 'Write', stderr: contains('first') })).toBe(true);
  expect(passed({ count: 3 })).toBe(true);
  expect(passed({ count: 2 })).toBe(false);
  expect(passed({ count: 2, blocked: true })).toBe(true);
  expect(checkHook(seen, { event: 'Stop', count: 2 })).toMatchObject({ expected: 'Stop fires 2 times' });
});

it('hooks: the order in which they fired', () => {
  const seen = observe(hook('PreToolUse:Bash'), hook('PostToolUse:Bash'), hook('Stop'));
  expect(checkHookOrder(seen, ['PreToolUse', 'Stop']).status).toBe('passed');
  expect(checkHookOrder(seen, ['PreToolUse:Bash', 'PostToolUse:Bash']).status).toBe('passed');
  expect(checkHookOrder(seen, ['Stop', 'PreToolUse'])).toMatchObject({
    status: 'failed',
    actual: 'PreToolUse:Bash, PostToolUse:Bash, Stop',
  });
});

it('does not judge in a turn what fires before or after all turns', () => {
  const status = (event: string, fired: boolean, on?: string) =>
    checkHook(observe(prompt, ended), { event, fired, on }).status;
  expect(status('SessionStart', false)).toBe('unjudged');
  expect(status('SessionEnd', true)).toBe('unjudged');
  expect(status('SessionStart', false, 'clear')).toBe('passed');
  expect(status('PreToolUse', false)).toBe('passed');
  const start = observe({ type: 'hook_started', id: 'h', name: 'x', event: 'x' });
  expect(checkHook(start, { event: 'SessionStart' }).status).toBe('failed');
});

it('judges SessionEnd only where its hooks are recorded', () => {
  const session = (reports: ('hooks' | 'untold_hooks')[]): EventBody => ({
    ...{ type: 'session', agent: 'claude', stage: 'sim', cwd: '/w', reports },
  });
  const status = (reports: ('hooks' | 'untold_hooks')[]) =>
    checkHook(observe(session(reports)), { event: 'SessionEnd', fired: false }).status;
  expect(status(['hooks'])).toBe('unjudged');
  expect(status(['hooks', 'untold_hooks'])).toBe('passed');
});

it('hooks: a hook that died let nothing pass, unless its exit code is expected', () => {
  const seen = observe(
    hook('PreToolUse:Write', { exitCode: 127, outcome: 'error', stderr: 'not found' }),
    hook('Stop', { exitCode: 0 }),
  );
  const dead = checkHook(seen, { event: 'PreToolUse', blocked: false });
  expect(dead.status).toBe('failed');
  expect(dead.suggestion).toContain('it died or');
  expect(checkHook(seen, { event: 'PreToolUse', blocked: false, exit_code: 127 }).status).toBe('passed');
  expect(checkHook(seen, { event: 'PreToolUse' }).status).toBe('passed');
  expect(checkHook(seen, { event: 'Stop', blocked: false }).status).toBe('passed');
});

it('every hook that runs gives an answer, or its exit code is expected', () => {
  const dies = (name: string, more: object = {}) =>
    hook(name, { exitCode: 1, outcome: 'error', stderr: 'oh', ...more });
  const alive = (bodies: EventBody[], expected?: Parameters<typeof checkHooksAlive>[1]) =>
    checkHooksAlive(observe(...bodies).turn, expected);
  expect(
    alive([hook('SessionStart:startup'), prompt, hook('PreToolUse:Bash', { exitCode: 2, blocked: true })]),
  ).toEqual([]);
  expect(alive([prompt, dies('Stop'), dies('Stop'), dies('PostToolUse:Bash')])).toMatchObject([
    { name: 'hooks are alive', status: 'failed', actual: 'Stop error (exit 1): oh', evidence: { length: 2 } },
    { actual: 'PostToolUse:Bash error (exit 1): oh' },
  ]);
  const lost = hook('PreToolUse:Bash', { exitCode: 0, stdout: '{"permissionDecision":"deny"}' });
  expect(alive([prompt, lost])[0]?.actual).toContain('did you mean hookSpecificOutput.permissionDecision?');
  expect(alive([prompt, dies('Stop')], [{ event: 'Stop', exit_code: 1 }])).toEqual([]);
  expect(alive([prompt, dies('Stop')], [{ event: 'Stop', exit_code: 3 }])).toHaveLength(1);
});

it('a hook is dead if the CLI cannot use what it said, or its server gives no answer', () => {
  const alive = (body: EventBody) =>
    checkHooksAlive(observe(prompt, body).turn, [{ event: 'PreToolUse', exit_code: 0 }]);
  const unanswered = hook('PreToolUse:Bash', { exitCode: undefined, outcome: 'error', stderr: 'connect ECONNREFUSED' });
  expect(alive(hook('PreToolUse:Bash', { exitCode: 200, outcome: 'success' }))).toEqual([]);
  for (const dead of [
    hook('PreToolUse:Bash', { exitCode: 0, outcome: 'error', stderr: 'Hook JSON output validation failed' }),
    hook('PreToolUse:Bash', { exitCode: 200, outcome: 'error', stderr: 'HTTP hook must return JSON' }),
    hook('PreToolUse:Bash', { exitCode: 500, outcome: 'error', stderr: 'HTTP 500' }),
    unanswered,
  ]) {
    expect(alive(dead)).toMatchObject([{ name: 'hooks are alive', status: 'failed' }]);
    expect(checkHook(observe(dead), { event: 'PreToolUse', blocked: false }).status).toBe('failed');
  }
});

it('a hook that the CLI ended did not die, unless nothing could begin before', () => {
  const cancelled = hook('SessionStart:startup', { exitCode: 1, outcome: 'cancelled' });
  expect(checkHooksAlive(observe(cancelled, prompt).turn)).toHaveLength(1);
  expect(checkHooksAlive(observe(prompt, ended, cancelled).turn)).toEqual([]);
  expect(checkHooksAlive(observe(prompt, hook('Stop', { exitCode: 143, outcome: 'error' })).turn)).toEqual([]);
});

it('hooks: the agent is that of the payload, else of the call; where nobody knows it, nothing is judged', () => {
  const call: EventBody = { type: 'tool_call', id: 't1', tool: 'Bash', input: {}, parent: 't0', agent: 'kit:helper' };
  const given = (payload?: Record<string, unknown>) =>
    hook('PreToolUse:Bash', payload === undefined ? {} : { payload });
  const statusOf = (wanted: object, ...bodies: EventBody[]) =>
    checkHook(observe(call, ...bodies), { event: 'PreToolUse', on: 'Bash', ...wanted }).status;
  const inHelper = given({ agent_id: 'a1', agent_type: 'kit:helper' });
  expect(statusOf({ agent: 'helper' }, inHelper)).toBe('passed');
  expect(statusOf({ agent: 'main' }, inHelper)).toBe('failed');
  expect(statusOf({ agent: 'main', fired: false }, inHelper)).toBe('passed');
  expect(statusOf({ agent: 'kit:helper' }, given({ tool_use_id: 't1' }))).toBe('passed');
  expect(statusOf({ agent: 'main' }, given({ tool_use_id: 't2' }))).toBe('passed');
  expect(statusOf({ agent: 'main' }, given())).toBe('unjudged');
  expect(statusOf({ agent: 'main', fired: false }, given())).toBe('unjudged');
  expect(statusOf({ agent: 'main', fired: false }, given({}), given())).toBe('failed');
  expect(statusOf({ agent: 'main', count: 1 }, given({}), given())).toBe('unjudged');
  expect(statusOf({ agent: 'main' }, given({}), given())).toBe('passed');
  expect(statusOf({}, given())).toBe('passed');
});
