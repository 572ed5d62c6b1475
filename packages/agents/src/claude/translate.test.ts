import { expect, it } from 'vitest';
import type { EventBody } from '../events.js';
import { readTypedCommand } from './commands.js';
import { ClaudeTranslator } from './translate.js';
import { commandStatus, judgeTurn } from './verdict.js';
import type { ClaudeResult } from './wire.js';

function translate(...lines: unknown[]): EventBody[] {
  const translator = new ClaudeTranslator('scripted');
  return lines.flatMap((line) => translator.translate(line));
}

const use = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { a: 1 } }] },
};
const back = (extra: Record<string, unknown>, content: unknown = 'text') => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 't1', content, is_error: true }] },
  ...extra,
});

it('keeps what it does not know, whatever its shape', () => {
  for (const line of [
    { type: 'brand_new', x: 1 },
    { type: 'system', subtype: 'newer' },
    { type: 'assistant' },
    7,
    null,
    'text',
  ]) {
    expect(translate(line)).toMatchObject([{ type: 'unknown' }]);
  }
});

it('tells text, thinking and tool calls, and who said them', () => {
  const line = {
    type: 'assistant',
    parent_tool_use_id: 'task-1',
    subagent_type: 'p:scout',
    message: {
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'hi' },
        { type: 'server_tool_use', id: 'x' },
      ],
    },
  };
  expect(translate(line)).toEqual([
    { type: 'thinking', text: 'hm', parent: 'task-1', agent: 'p:scout' },
    { type: 'text', text: 'hi', parent: 'task-1', agent: 'p:scout' },
  ]);
});

it('tells a hook’s block from a denial and from a failure', () => {
  const meta = (source: string) => ({
    tool_result_meta: [{ id: 't1', permission_decision: { decision: 'reject', source } }],
  });
  expect(translate(use, back(meta('hook')))[1]).toMatchObject({ tool: 'Write', status: 'blocked' });
  expect(translate(use, back(meta('rule')))[1]).toMatchObject({ status: 'denied' });
  expect(translate(use, back({}, 'PreToolUse:Write hook error: [x]: no'))[1]).toMatchObject({ status: 'blocked' });
  expect(translate(use, back({}, [{ type: 'text', text: 'no such file' }]))[1]).toMatchObject({
    status: 'error',
    text: 'no such file',
  });
});

it('takes the bare reason of a hook that denied in JSON for its block, and nothing else', () => {
  const hook = (output: object, name = 'PreToolUse:Write') => ({
    ...{ type: 'system', subtype: 'hook_response', hook_id: 'h', hook_name: name, hook_event: 'PreToolUse' },
    ...{ stdout: JSON.stringify(output), exit_code: 0, outcome: 'success' },
  });
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Not here.',
    },
  };
  const status = (...lines: unknown[]) => translate(use, ...lines).at(-1);
  // Claude Code 2.1.197 says no more than the reason.
  expect(status(hook(deny), back({}, 'Not here.'))).toMatchObject({ status: 'blocked' });
  expect(status(hook({ decision: 'block', reason: 'Old style.' }), back({}, 'Old style.'))).toMatchObject({
    status: 'blocked',
  });
  expect(status(hook(deny), back({}, 'no such file'))).toMatchObject({ status: 'error' });
  expect(status(hook(deny, 'PreToolUse:Edit'), back({}, 'Not here.'))).toMatchObject({ status: 'error' });
  expect(status(back({}, 'Not here.'))).toMatchObject({ status: 'error' });
});

it('reads the exit code of a shell command', () => {
  const bash = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] } };
  expect(translate(bash, back({}, 'Exit code 3\nhi'))[1]).toMatchObject({ status: 'error', exitCode: 3 });
});

it('does not take the result of a background notification for the turn’s', () => {
  const translator = new ClaudeTranslator('scripted');
  translator.translate({ type: 'result', subtype: 'success', is_error: false, origin: { kind: 'task-notification' } });
  expect(translator.seen.result).toBeUndefined();
  translator.translate({ type: 'result', subtype: 'success', is_error: false });
  expect(translator.seen.result).toBeDefined();
});

it('finds the owner of a short command, and guesses only when it must', () => {
  const known = ['sampler:explore', 'other:plan', 'third:plan', 'cost'];
  expect(readTypedCommand('/explore the db', known)).toMatchObject({
    typed: '/explore',
    sent: '/sampler:explore the db',
    similar: [],
  });
  expect(readTypedCommand('/cost', known)).toMatchObject({ sent: '/cost' });
  expect(readTypedCommand('/plan x', known)).toMatchObject({ sent: '/plan x', similar: ['other:plan', 'third:plan'] });
  expect(readTypedCommand('/explor', known)).toMatchObject({ similar: ['sampler:explore'] });
  expect(readTypedCommand('/folder:explore', known)).toMatchObject({ similar: ['sampler:explore'] });
  expect(readTypedCommand('/folder:explor', known)).toMatchObject({ similar: ['sampler:explore'] });
  expect(readTypedCommand('/folder:cost', known)).toMatchObject({ similar: ['cost'] });
  expect(readTypedCommand('see /etc/hosts', known)).toBeUndefined();
  expect(readTypedCommand('/etc/hosts is odd', known)).toBeUndefined();
});

const success: ClaudeResult = { type: 'result', subtype: 'success', is_error: false };
const seen = (fields: Partial<ClaudeTranslator['seen']>) => ({ ...new ClaudeTranslator('x').seen, ...fields });

it('knows what became of a command by what the CLI did', () => {
  expect(commandStatus(seen({ expandedCommand: 'p:x', replayed: true }))).toBe('expanded');
  expect(commandStatus(seen({ synthetic: ['Unknown command: /x'] }))).toBe('unknown');
  expect(commandStatus(seen({ synthetic: ['Total cost: $0'] }))).toBe('local');
  expect(commandStatus(seen({ replayed: true }))).toBe('unknown');
  expect(commandStatus(seen({ printedLocally: true }))).toBe('local');
  expect(commandStatus(seen({}))).toBeUndefined();
});

it.each([
  [{ is_error: true, api_error_status: 529, result: 'overloaded' }, 'failed', 'api_error'],
  [{ is_error: true, subtype: 'error_max_turns' }, 'failed', 'error_max_turns'],
  [{ is_error: false, subtype: 'error_during_execution' }, 'failed', 'error_during_execution'],
  [{ is_error: false, terminal_reason: 'aborted_streaming' }, 'interrupted', 'aborted_streaming'],
  [{}, 'completed', undefined],
] as const)('judges the result %o as %s', (fields, outcome, reason) => {
  const ended = judgeTurn(
    { ...seen({}), result: { ...success, ...fields } },
    { command: undefined, interrupted: false, milliseconds: 1 },
  );
  expect(ended.outcome).toBe(outcome);
  expect(ended.reason).toBe(reason);
});

it.each([
  [success],
  [{ ...success, is_error: true, api_error_status: 418, result: 'API Error: no rule answers' }],
  [{ ...success, is_error: true, subtype: 'error_during_execution' }],
])('fails an unknown command, whatever the CLI reports: %o', (result) => {
  const command = readTypedCommand('/explor', ['sampler:explore']);
  const ended = judgeTurn({ ...seen({ replayed: true }), result }, { command, interrupted: false, milliseconds: 1 });
  expect(ended).toMatchObject({
    outcome: 'failed',
    reason: 'unknown_command',
    message: expect.stringContaining('/sampler:explore'),
  });
});

it('takes what a turn cost from the sum of its session', () => {
  const cost = (total: number, costBefore: number) => {
    const result = { type: 'result', subtype: 'success', is_error: false, total_cost_usd: total } as const;
    const context = { command: undefined, interrupted: false, milliseconds: 1, costBefore };
    return judgeTurn({ ...seen({}), result }, context).costUsd;
  };
  expect(cost(0.5, 0)).toBe(0.5);
  expect(cost(0.3, 0.2)).toBe(0.1);
  // A session that began anew.
  expect(cost(0.25, 0.5)).toBe(0.25);
});
