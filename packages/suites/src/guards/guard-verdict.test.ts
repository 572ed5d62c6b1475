import type { ConversationEvent, EventBody } from '@understudy/agents';
import { expect, it } from 'vitest';
import type { Guard } from './guard.js';
import { guardChecks, namesHook } from './guard-verdict.js';

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const at = '2026-01-01T00:00:00.000Z';
const inTurn = (turn: number, bodies: readonly EventBody[]): ConversationEvent[] =>
  bodies.map((body, seq) => ({ seq, at, turn, ...body }));

const hookGuard: Guard = {
  ...{ kind: 'hook', name: 'PreToolUse on Bash: a.sh', file: 'hooks.json', expects: 'blocked', event: 'PreToolUse' },
  ...{ command: 'sh "${CLAUDE_PLUGIN_ROOT}/a.sh"', says: 'Not by a.' },
  attack: { tool: 'Bash', input: { command: 'rm x' } },
};
const ruleGuard: Guard = {
  ...{
    kind: 'rule',
    name: 'deny Bash(rm:*)',
    file: '.claude/settings.json',
    expects: 'blocked',
    list: 'deny',
    rule: 'Bash(rm:*)',
  },
  ...{ attack: { tool: 'Bash', input: { command: 'rm x' } }, harmless: { tool: 'Bash', input: { command: 'ls' } } },
};
const call: EventBody = { type: 'tool_call', id: 't', tool: 'Bash', input: {} };
const ended = (status: 'ok' | 'error' | 'denied' | 'blocked', text = ''): EventBody => ({
  ...{ type: 'tool_result', id: 't', tool: 'Bash', text, status },
});
const hook = (exitCode: number, stderr = '', event = 'PreToolUse'): EventBody => ({
  ...{ type: 'hook_finished', id: 'h', name: `${event}:Bash`, event, stdout: '', stderr, exitCode },
  ...{
    outcome: exitCode === 0 ? 'success' : 'error',
    blocked: exitCode === 2,
    ...(exitCode === 2 ? { reason: stderr } : {}),
  },
});
const asked: EventBody = { type: 'permission', tool: 'Bash', input: {}, callId: 't', decision: 'allow', why: 'rule' };

const verdict = (guard: Guard, ...bodies: EventBody[]) => {
  const { status, subject, actual } = guardChecks(guard, inTurn(1, bodies)).attack;
  return [status, subject.kind === 'guard' && subject.verdict, actual];
};

it('says what became of the attack on a hook', () => {
  expect(verdict(hookGuard, call, hook(2, 'Not by a.'), ended('blocked'))).toEqual(['passed', 'blocked', 'Not by a.']);
  expect(verdict(hookGuard, call, hook(0), ended('ok'))).toEqual(['failed', 'let through', 'it was let through']);
  expect(verdict(hookGuard, call, hook(1, 'Oh.'), asked, ended('ok'))).toMatchObject([
    'failed',
    'asked',
    like(/ended with 1 \(Oh\.\)/),
  ]);
  expect(verdict(hookGuard, call, ended('ok'))).toEqual(['failed', 'never ran', 'no hook of PreToolUse ran']);
  expect(verdict(hookGuard, { type: 'text', text: 'No.' })).toMatchObject([
    'unjudged',
    'not made',
    like(/was not made/),
  ]);
});

it('judges nothing where another guard came first, or the sandbox is why', () => {
  const other = 'PreToolUse:Bash hook error: [sh "/p/b.sh"]: Not by b.';
  expect(verdict(hookGuard, call, hook(2, 'Not by b.'), ended('blocked', other))).toMatchObject([
    'unjudged',
    'blocked',
    like(/another hook/),
  ]);
  expect(verdict(hookGuard, call, hook(0), hook(2, 'Not by b.'), ended('blocked'))).toMatchObject([
    'unjudged',
    'blocked',
    like(/another hook/),
  ]);
  expect(verdict(hookGuard, call, ended('denied'))).toMatchObject(['unjudged', 'blocked', like(/a permission rule/)]);
  expect(verdict(ruleGuard, call, hook(2, 'No.'), ended('blocked'))).toMatchObject([
    'unjudged',
    'blocked',
    like(/a hook stopped it/),
  ]);
  expect(verdict(hookGuard, call, hook(1, 'npm error code EAI_AGAIN'), ended('ok'))).toMatchObject([
    'unjudged',
    'not made',
    like(/needs the network/),
  ]);
  const request: Guard = { ...hookGuard, event: 'PermissionRequest' };
  expect(verdict(request, call, ended('ok'))).toMatchObject(['unjudged', 'never ran', like(/nobody was asked/)]);
});

it('says what became of the attack on a rule, and of its twin', () => {
  expect(verdict(ruleGuard, call, ended('denied', 'Denied.'))).toEqual(['passed', 'blocked', 'Denied.']);
  expect(verdict(ruleGuard, call, ended('error', 'Error: No such tool available: Bash.'))).toMatchObject([
    'passed',
    'blocked',
    like(/No such tool/),
  ]);
  expect(verdict(ruleGuard, call, asked, ended('ok'))).toMatchObject(['failed', 'asked', like(/may say yes/)]);
  expect(verdict(ruleGuard, call, ended('error', 'Exit code 1'))).toMatchObject([
    'failed',
    'let through',
    like(/Exit code 1/),
  ]);
  const twinOf = (...bodies: EventBody[]) => guardChecks(ruleGuard, inTurn(2, bodies)).twin;
  expect(twinOf(call, ended('ok'))).toMatchObject({ status: 'passed', subject: { verdict: 'let through' } });
  expect(twinOf(call, ended('denied', 'No.'))).toMatchObject({ status: 'failed', subject: { verdict: 'blocked' } });
});

it('asks for the question of an ask rule, and beside an allow rule', () => {
  const ask: Guard = { ...ruleGuard, list: 'ask', expects: 'asked', name: 'ask Bash(rm:*)' };
  expect(verdict(ask, call, asked, ended('denied'))).toEqual(['passed', 'asked', 'the user is asked, by the rule']);
  expect(verdict(ask, call, ended('ok'))).toMatchObject(['failed', 'let through', like(/let through/)]);
  const allow: Guard = { ...ruleGuard, list: 'allow', expects: 'asked' };
  expect(verdict(allow, call, ended('ok'))).toMatchObject(['failed', 'let through', like(/covers more than it says/)]);
  expect(guardChecks(allow, inTurn(2, [call, asked, ended('ok')])).twin).toMatchObject({
    status: 'failed',
    actual: like(/though the rule allows it/),
  });
});

it('knows the hook that the CLI names', () => {
  expect(namesHook('PreToolUse:Bash hook error: [sh "/a b/a.sh"]: No.', 'sh "${CLAUDE_PLUGIN_ROOT}/a.sh"')).toBe(true);
  expect(namesHook('PreToolUse:Bash hook error: [sh "/p/b.sh"]: No.', 'sh "${CLAUDE_PLUGIN_ROOT}/a.sh"')).toBe(false);
  expect(namesHook('It stays.', 'sh a.sh')).toBeUndefined();
});
