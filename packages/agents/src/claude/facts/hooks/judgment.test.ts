import { describe, expect, it } from 'vitest';
import { type HookEventName, hookEventNames, hookEvents } from './events.js';
import { judgeHook } from './judgment.js';
import type { EndedHook } from './verdict.js';

const ended = (event: string, exitCode: number, stdout = '', stderr = ''): EndedHook => ({
  ...{ event, label: 'check', exitCode, stdout, stderr },
  outcome: exitCode === 0 ? 'success' : 'error',
});
const json = (value: unknown) => JSON.stringify(value);
const deny = json({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
});
const allow = json({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });

const DECISIONS = {
  blocks: { decision: 'block', blocked: true },
  feedback: { decision: 'feedback', blocked: false },
  none: { decision: 'none', blocked: false },
};

/** Written out once more, so that a slip in the table of events is seen. */
const BLOCKING: HookEventName[] = [
  ...(['PreToolUse', 'PostToolBatch', 'UserPromptSubmit', 'UserPromptExpansion', 'Stop', 'SubagentStop'] as const),
  ...(['PreCompact', 'PreModelSwitch', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'Elicitation'] as const),
  ...(['ElicitationResult', 'ConfigChange', 'WorktreeCreate', 'WorktreeRemove'] as const),
];

it('knows which of the 33 events exit code 2 blocks', () => {
  expect(hookEventNames).toHaveLength(33);
  expect(hookEventNames.filter((event) => hookEvents[event].exitTwo === 'blocks').sort()).toEqual(BLOCKING.sort());
});

it.each(hookEventNames)('judges %s by its exit code', (event) => {
  expect(judgeHook(ended(event, 2, '', 'why'))).toMatchObject(DECISIONS[hookEvents[event].exitTwo]);
  expect(judgeHook(ended(event, 1, '', 'why'))).toEqual({ decision: 'none', blocked: false });
  expect(judgeHook(ended(event, 0))).toEqual({ decision: 'none', blocked: false });
});

it('keeps a tool for later', () => {
  const defer = allow.replace('allow', 'defer');
  expect(judgeHook(ended('PreToolUse', 0, defer))).toEqual({ decision: 'defer', blocked: true });
});

it('blocks nothing at an event that it does not know', () => {
  expect(judgeHook(ended('NewEvent', 2, '', 'why'))).toEqual({ decision: 'none', blocked: false });
});

describe('the JSON of a hook', () => {
  it.each([0, 1, 2])('counts with exit code %i', (code) => {
    expect(judgeHook(ended('PreToolUse', code, deny, 'err'))).toEqual({
      ...{ decision: 'deny', blocked: true, reason: 'no' },
    });
  });

  it('cannot allow what exit code 2 blocks', () => {
    expect(judgeHook(ended('PreToolUse', 2, allow, 'err'))).toEqual({
      ...{ decision: 'block', blocked: true, reason: '[check]: err' },
    });
  });

  it.each([`hello\n${deny}`, `${deny}\nhello`, '{"decision": "bl'])('must be all of stdout: %j', (stdout) => {
    expect(judgeHook(ended('PreToolUse', 0, stdout))).toEqual({ decision: 'none', blocked: false });
  });

  it('counts for nothing when it is not as the CLI wants it, and is named', () => {
    const wrong = json({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect(judgeHook(ended('PreToolUse', 0, wrong))).toEqual({
      ...{ decision: 'none', blocked: false, problem: expect.stringContaining('"hookEventName"') },
    });
    expect(judgeHook(ended('PreToolUse', 2, wrong, 'err'))).toEqual({
      ...{ decision: 'block', blocked: true, reason: '[check]: err' },
    });
    // It is about another event, and still objects.
    expect(judgeHook(ended('Stop', 2, deny, 'err'))).toMatchObject({
      blocked: true,
      reason: expect.stringContaining('could not be processed'),
    });
    expect(judgeHook(ended('Stop', 0, deny))).toMatchObject({
      decision: 'none',
      problem: expect.stringContaining("'Stop' but got 'PreToolUse'"),
    });
    // Nor does the model read it.
    expect(judgeHook(ended('UserPromptSubmit', 0, wrong)).additionalContext).toBeUndefined();
  });

  it.each([
    ['Stop', { decision: 'block', reason: 'go on' }, 'block', true],
    ['PostToolUse', { decision: 'block', reason: 'look' }, 'feedback', false],
    ['SessionStart', { decision: 'block', reason: 'no' }, 'none', false],
    ['UserPromptSubmit', { continue: false, stopReason: 'enough' }, 'stop', true],
    [
      'PermissionRequest',
      { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } } },
      'deny',
      true,
    ],
  ])('of %s is read as what that event can do', (event, output, decision, blocked) => {
    expect(judgeHook(ended(event, 0, json(output)))).toMatchObject({ decision, blocked });
  });
});

it('says so when exit code 2 comes without a reason', () => {
  expect(judgeHook(ended('PreToolUse', 2, 'only stdout'))).toMatchObject({ reason: '[check]: No stderr output' });
});

it('takes no verdict from a hook that ran out of time', () => {
  expect(judgeHook({ ...ended('PreToolUse', 2), outcome: 'cancelled' })).toEqual({
    decision: 'timed out',
    blocked: false,
  });
});
