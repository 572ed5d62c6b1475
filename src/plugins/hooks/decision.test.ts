import { expect, it } from 'vitest';
import { type EndedHook, judgeHook } from './decision.js';

const ended = (event: string, exitCode: number, stdout = '', stderr = ''): EndedHook => ({
  ...{ event, command: 'check', exitCode, stdout, stderr },
  outcome: exitCode === 0 ? 'success' : 'error',
});
const json = (value: unknown) => JSON.stringify(value);

it.each([
  ['PreToolUse', 2, 'block', true],
  ['PreToolUse', 1, 'none', false],
  ['PreToolUse', 0, 'none', false],
  ['PostToolUse', 2, 'feedback', false],
  ['UserPromptSubmit', 2, 'block', true],
  ['Stop', 2, 'block', true],
  ['SessionEnd', 2, 'none', false],
  ['PermissionRequest', 2, 'none', false],
] as const)('judges %s with exit %i', (event, code, decision, blocked) => {
  expect(judgeHook(ended(event, code, '', 'why'))).toMatchObject({ decision, blocked });
});

it('reads what a hook prints, and only when it ends with 0', () => {
  const deny = json({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } });
  expect(judgeHook(ended('PreToolUse', 0, deny))).toEqual({ decision: 'deny', blocked: true, reason: 'no' });
  expect(judgeHook(ended('PreToolUse', 1, deny))).toEqual({ decision: 'none', blocked: false });
  expect(judgeHook(ended('Stop', 0, json({ continue: false, stopReason: 'enough' })))).toMatchObject({
    ...{ decision: 'stop', reason: 'enough' },
  });
});

it('hears nothing from a hook that ran out of time', () => {
  expect(judgeHook({ ...ended('PreToolUse', 2), outcome: 'cancelled' })).toEqual({
    decision: 'timed out',
    blocked: false,
  });
});
